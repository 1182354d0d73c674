import { edgeOf } from '../order/run-edge.ts';
import type { RunEdge } from '../order/timeline.ts';
import { isStorable, MAX_ID_LENGTH } from '../storable.ts';
import type { NewEvent } from '../stores/store.ts';
import { decodeEvent } from '../verify/decode-event.ts';
import type { WebhookEvent } from '../verify/decode-event.ts';
import { WebhookVerificationError } from '../verify/errors.ts';
import { edgeFacts } from './run-walk.ts';

/** What the body of an authentic delivery is. */
export type EventContent =
  /** An event of a run. */
  | {
      /** What it is. */
      readonly kind: 'run';
      /** The run, whose events are handled one after another. */
      readonly runId: string;
      /** `null` when no store can keep it: it is only for people who search. */
      readonly automationId: string | null;
      /** From which status to which it leads. */
      readonly edge: RunEdge;
    }
  /** A test event, or an event of an unknown type: it belongs to no run. */
  | {
      /** What it is. */
      readonly kind: 'single';
    }
  /** Not an event of the contract. It is kept as a dead letter from the start. */
  | {
      /** What it is. */
      readonly kind: 'invalid';
      /** What is wrong with it, for people. */
      readonly error: string;
    };

/** A verified delivery. */
export interface IncomingEvent {
  /** The idempotency key: `webhook-id`, which is the event id. */
  readonly id: string;
  /** The body exactly as received. */
  readonly body: Uint8Array;
  /** The time of signing, in seconds since the epoch. */
  readonly timestamp: number;
  /** What its body is. */
  readonly content: EventContent;
}

/** The source of a receiver without `sources`, as stores name it. */
export const SOURCE = 'platform';

/** Returns a delivery as stores keep it. */
export function newEvent(
  { id, body, timestamp, content }: IncomingEvent,
  source: string = SOURCE,
): NewEvent {
  if (content.kind !== 'run') {
    const about = { key: null, owner: null, type: null, handler: null, facts: null };
    const error = content.kind === 'invalid' ? content.error : null;
    return { ...about, source, id, body, timestamp, error };
  }
  const { runId: key, automationId: owner, edge } = content;
  const { previousStatus, currentStatus: handler } = edge;
  const type = previousStatus === null ? 'run.created' : 'run.status_changed';
  const facts = edgeFacts(edge);
  return { source, id, key, owner, type, handler, facts, body, timestamp, error: null };
}

/** Decodes an authentic body. Never throws for its content: a retry would send the same bytes. */
export function decodeContent(body: Uint8Array, id: string): EventContent {
  try {
    const event = decodeOrderedEvent(body, id);
    if (event.type === 'unknown' || event.test) return { kind: 'single' };
    const { id: runId, automationId: sent } = event.data.run;
    const automationId = isStorable(sent) ? sent : null;
    return { kind: 'run', runId, automationId, edge: edgeOf(event) };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { kind: 'invalid', error: `${error.code}: ${error.message}` };
  }
}

/**
 * Decodes an authentic body whose event a store can keep: every store must tell the id of its run
 * from all others.
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
