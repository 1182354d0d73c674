import { FILTERS, requireFilter } from '../event-filter.ts';
import type { RunStatus } from '../generated/run-events.ts';
import { requireStatus } from '../worker/pauses.ts';
import type { InboxSource } from './source.ts';

/**
 * Makes the change that the page asks for.
 *
 * @throws {TypeError} When it is none.
 */
export async function changeFor(source: InboxSource, asked: unknown): Promise<object> {
  if (typeof asked !== 'object' || asked === null) {
    throw new TypeError(`Body must be an object, got ${asked === null ? 'null' : typeof asked}.`);
  }
  const { change, filter, handler }: Record<string, unknown> = { ...asked };
  switch (change) {
    case 'redrive':
    case 'discard':
      requireFilter(filter, FILTERS.dead);
      return { count: await source[change](filter) };
    case 'replay':
      requireFilter(filter, FILTERS.replay);
      return { count: await source.replay(filter) };
    case 'pause':
      await source.pause(handlerIn(handler));
      return {};
    case 'resume':
      await source.resume(handlerIn(handler));
      return {};
    default:
      throw new TypeError('change must be redrive, discard, replay, pause or resume, got another.');
  }
}

/** Every handler without a name. */
function handlerIn(handler: unknown): RunStatus | undefined {
  return handler === undefined ? undefined : requireStatus(handler);
}
