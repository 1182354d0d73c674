import { requireString } from '../argument-checks.ts';
import { FILTERS, requireFilter } from '../processing/event-filter.ts';
import type { SourcePause } from '../processing/processing.ts';
import { DEAD_LETTER_REASONS } from '../stores/store.ts';
import { changeGroup } from './dead-letter-groups.ts';
import type { DeadLetterCause } from './dead-letter-groups.ts';
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
  const { change, filter, cause }: Record<string, unknown> = { ...asked };
  switch (change) {
    case 'redrive':
    case 'discard':
      requireFilter(filter, FILTERS.dead);
      return {
        count:
          cause === undefined
            ? await source[change](filter)
            : await changeGroup(source, change, filter, causeIn(cause)),
      };
    case 'replay':
      requireFilter(filter, FILTERS.replay);
      return { count: await source.replay(filter) };
    case 'pause':
      await source.pause(pauseIn(asked));
      return {};
    case 'resume':
      await source.resume(pauseIn(asked));
      return {};
    default:
      throw new TypeError('change must be redrive, discard, replay, pause or resume, got another.');
  }
}

/** @throws {TypeError} When it is no cause of dead letters. */
function causeIn(value: unknown): DeadLetterCause {
  const { source, handler, reason, message }: Record<string, unknown> =
    typeof value === 'object' ? { ...value } : {};
  const known = DEAD_LETTER_REASONS.find((each) => each === reason);
  const isNamed = handler === null || typeof handler === 'string';
  const isText = typeof source === 'string' && typeof message === 'string';
  if (known === undefined || !isNamed || !isText) {
    throw new TypeError('cause must have source, handler, reason and message, got another.');
  }
  return { source, handler, reason: known, message };
}

/** Every handler without a name, of every source without one. */
function pauseIn(asked: object): SourcePause {
  const { source, handler }: Record<string, unknown> = { ...asked };
  if (source !== undefined) requireString('source', source, '');
  if (handler !== undefined) requireString('handler', handler, '');
  return {
    ...(typeof source === 'string' && { source }),
    ...(typeof handler === 'string' && { handler }),
  };
}
