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
    const { id: runId, automationId: sent } = event.data.run;
    const automationId = isStorable(sent) ? sent : null;
    return { content: { kind: 'run', runId, automationId, edge: edgeOf(event) }, error: null };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { content: { kind: 'invalid', error: `${error.code}: ${error.message}` }, error };
  }
}

/**
 * Decodes an authentic body whose event a store can keep: every store must tell the id of its run from all
 * others.
 *
 * @throws {WebhookVerificationError} As `decodeEvent`, and `event_invalid` for another id of a run.
 */
export function decodeOrderedEvent(body: Uint8Array, id: string): WebhookEvent {
  const event = decodeEvent(body, id);
  if (event.type === 'unknown' || event.test) return event;
  if (isStorable(event.data.run.id)) return event;
  throw new WebhookVerificationError(
    'event',
    'event_invalid',
    `data.run.id must have at most ${MAX_ID_LENGTH} characters, without NUL and lone surrogates, ` +
      'got another text. The signature is valid, so report this to the sender.',
  );
}

/** The contract limits no id. This is far above any, and fits into an index of every store. */
const MAX_ID_LENGTH = 512;

// oxlint-disable-next-line no-control-regex -- Databases refuse or replace NUL, so two ids would become one.
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Returns whether every store can tell this id of a run or automation from all others. */
export function isStorable(text: string): boolean {
  return text.length <= MAX_ID_LENGTH && !UNSTORABLE.test(text);
}

const SINGLE: DecodedContent = { content: { kind: 'single' }, error: null };
