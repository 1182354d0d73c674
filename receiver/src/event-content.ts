import { parseIsoTime } from './order/iso-time.ts';
import { edgeOf } from './order/run-edge.ts';
import type { EventContent } from './stores/store.ts';
import { decodeEvent } from './verify/decode-event.ts';
import type { WebhookEvent } from './verify/decode-event.ts';
import { WebhookVerificationError } from './verify/errors.ts';

/** What an authentic body contains, and why it is not an event. */
export interface DecodedContent {
  readonly content: EventContent;
  readonly error: WebhookVerificationError | null;
}

/** Decodes an authentic body. Never throws for its content: a retry would send the same bytes. */
export function decodeContent(body: Uint8Array, id: string): DecodedContent {
  try {
    const event = decodeOrderedEvent(body, id);
    if (event.type === 'unknown' || event.test) return SINGLE;
    return { content: { kind: 'run', runId: event.data.run.id, edge: edgeOf(event) }, error: null };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { content: { kind: 'invalid', error: `${error.code}: ${error.message}` }, error };
  }
}

/**
 * Decodes an authentic body whose event has a place in the order of its run. `decodeEvent` checks the
 * form of a time; 30 February has the form, and no place. Nor has a run whose id a store would change.
 *
 * @throws {WebhookVerificationError} As `decodeEvent`, and `event_invalid` for such a time or id.
 */
export function decodeOrderedEvent(body: Uint8Array, id: string): WebhookEvent {
  const event = decodeEvent(body, id);
  if (event.type === 'unknown' || event.test) return event;
  if (!isOfTheCalendar(event.createdAt)) {
    throw invalid('createdAt must be a time of the calendar, got another.');
  }
  if (!isRunId(event.data.run.id)) {
    throw invalid(
      `data.run.id must have at most ${MAX_RUN_ID_LENGTH} characters, without NUL and lone surrogates, got another text.`,
    );
  }
  return event;
}

/** The contract limits no id. This is far above any, and fits into an index of every store. */
const MAX_RUN_ID_LENGTH = 512;

// oxlint-disable-next-line no-control-regex -- Databases refuse or replace NUL, so two ids would become one.
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Returns whether every store can tell this id of a run from all others. */
export function isRunId(text: string): boolean {
  return text.length <= MAX_RUN_ID_LENGTH && !UNSTORABLE.test(text);
}

function invalid(message: string): WebhookVerificationError {
  const fix = ' The signature is valid, so report this to the sender.';
  return new WebhookVerificationError('event', 'event_invalid', message + fix);
}

function isOfTheCalendar(createdAt: string): boolean {
  return DAY_OF_EVERY_MONTH.test(createdAt) || parseIsoTime(createdAt) !== null;
}

/** Most times need no calendar, which keeps accepting cheap. */
const DAY_OF_EVERY_MONTH = /^\d{4}-\d\d-(?:0[1-9]|1\d|2[0-8])T/;

const SINGLE: DecodedContent = { content: { kind: 'single' }, error: null };
