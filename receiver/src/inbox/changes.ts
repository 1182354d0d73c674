import { RUN_STATUSES } from '../generated/constants.ts';
import type { RunStatus } from '../generated/run-events.ts';
import { deadLetterFilter } from './filter.ts';
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
      return { count: await source.redrive(filterIn(filter)) };
    case 'discard':
      return { count: await source.discard(filterIn(filter)) };
    case 'pause':
      await source.pause(handlerIn(handler));
      return {};
    case 'resume':
      await source.resume(handlerIn(handler));
      return {};
    default:
      throw new TypeError('change must be redrive, discard, pause or resume, got another.');
  }
}

function filterIn(filter: unknown): ReturnType<typeof deadLetterFilter> {
  if (typeof filter === 'object' && filter !== null) return deadLetterFilter({ ...filter });
  throw new TypeError('filter must be an object, got another value.');
}

/** Every handler without a name. */
function handlerIn(handler: unknown): RunStatus | undefined {
  const status = RUN_STATUSES.find((each) => each === handler);
  if (handler === undefined || status !== undefined) return status;
  throw new TypeError(`handler must be one of ${RUN_STATUSES.join(', ')}, got another.`);
}
