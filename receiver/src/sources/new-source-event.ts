import { isStorable } from '../storable.ts';
import type { NewEvent } from '../stores/store.ts';
import { mustBe } from '../verify/errors.ts';
import type { VerifiedEvent } from './source.ts';
import { factsOf } from './typed-work.ts';

/** As in the contract: a time in milliseconds has more digits, and all other ids would be forgotten. */
const MAX_TIMESTAMP = 999_999_999_999;

/**
 * Returns an event as stores keep it. One whose type or key no store can tell from others is a dead
 * letter from the start.
 *
 * @throws {TypeError} When the source returned an id that no store can keep, or no time of signing.
 */
export function newSourceEvent(
  source: string,
  { id, type, key, createdAt, timestamp, error }: VerifiedEvent,
  body: Uint8Array,
): NewEvent {
  if (typeof id !== 'string' || id === '' || !isStorable(id)) {
    const expected = 'a text of 1 to 512 characters, without NUL and lone surrogates';
    throw new TypeError(mustBe(`id of an event of ${source}`, expected, typeof id));
  }
  if (!Number.isSafeInteger(timestamp) || timestamp < 0 || timestamp > MAX_TIMESTAMP) {
    const expected = 'whole seconds since the epoch';
    throw new TypeError(mustBe(`timestamp of an event of ${source}`, expected, String(timestamp)));
  }
  const given = { source, id, owner: null, body, timestamp };
  const wrong = error ?? problemOf({ type, key, createdAt });
  if (wrong !== null) {
    return { ...given, key: null, type: null, handler: null, facts: null, error: wrong };
  }
  return { ...given, key, type, handler: type, facts: factsOf(createdAt), error: null };
}

function problemOf(given: Pick<VerifiedEvent, 'type' | 'key' | 'createdAt'>): string | null {
  const { type } = given;
  const wrong = isText(type)
    ? (['key', 'createdAt'] as const).find((name) => given[name] !== null && !isText(given[name]))
    : 'type';
  if (wrong === undefined) return null;
  const expected = 'a text of 1 to 512 characters, without NUL and lone surrogates';
  return `event_invalid: ${mustBe(wrong, expected, 'another value')}`;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && isStorable(value);
}
