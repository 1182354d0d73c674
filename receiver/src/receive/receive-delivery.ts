import type { Clock } from '../clock.ts';
import { within } from '../clock.ts';
import { describeThrown } from '../problems.ts';
import type { ReportProblem } from '../problems.ts';
import { StoreError } from '../stores/store-error.ts';
import type { AcceptOutcome, IncomingEvent, Store } from '../stores/store.ts';
import { WebhookVerificationError } from '../verify/errors.ts';
import type { HeaderSource } from '../verify/headers.ts';
import type { Verifier } from '../verify/verifier.ts';
import { isRefusal } from './responses.ts';
import type { ResponseCode } from './responses.ts';

/** Limits for reading a body. */
export interface BodyLimits {
  readonly limitBytes: number;
  readonly timeoutMilliseconds: number;
  readonly clock: Clock;
}

/** Why a body could not be read. */
export type BodyFailure = 'body_too_large' | 'body_stalled' | 'body_aborted' | 'body_already_read';

/** One HTTP request, in the form in which an adapter passes it to the receiver. */
export interface ReceiveRequest {
  readonly method: string;
  readonly contentType: string | undefined;
  readonly headers: HeaderSource;
  /** The raw bytes, or a function that reads them within the limits. */
  readonly body: Uint8Array | ((limits: BodyLimits) => Promise<Uint8Array | BodyFailure>);
}

/** The result of a request. `eventId` is known once the signature matches. */
export interface Received {
  readonly code: ResponseCode;
  readonly eventId: string | null;
}

/** What receiving one delivery needs. */
export interface Reception {
  readonly limits: BodyLimits;
  readonly verifier: Verifier;
  /** Before this time, in milliseconds since the epoch, a signature mismatch is not final. */
  readonly rotationUntil: number;
  readonly store: Store;
  readonly report: ReportProblem;
}

/** Senders time out after ten seconds or more, so the response must be earlier. */
const MAX_ACCEPT_MILLISECONDS = 8_000;

const JSON_TYPE = /^application\/json[\t ]*(?:;|$)/i;

/** Reads, verifies and stores one delivery. The first step that fails decides the response. */
export async function receiveDelivery(
  request: ReceiveRequest,
  reception: Reception,
): Promise<Received> {
  const { limits, verifier, rotationUntil, report } = reception;
  if (request.method !== 'POST') return refused('method_not_allowed');
  if (!JSON_TYPE.test(request.contentType ?? '')) return refused('content_type_unsupported');

  const body = await readBody(request, limits);
  if (typeof body === 'string') {
    if (body === 'body_already_read') report(bodyAlreadyRead());
    return refused(body);
  }

  const now = limits.clock.now();
  const event = verified(request, body, verifier, now);
  if (event === 'signature_mismatch' && now < rotationUntil) return refused('secret_rotating');
  if (typeof event === 'string') return refused(event);

  const outcome = await accept(event, reception);
  return { code: outcome === 'new' ? 'accepted' : outcome, eventId: event.id };
}

function refused(code: ResponseCode): Received {
  return { code, eventId: null };
}

async function readBody({ body }: ReceiveRequest, limits: BodyLimits) {
  if (typeof body === 'function') return body(limits);
  return body.length > limits.limitBytes ? 'body_too_large' : body;
}

function verified(
  { headers }: ReceiveRequest,
  body: Uint8Array,
  verifier: Verifier,
  receivedAt: number,
): IncomingEvent | ResponseCode {
  try {
    const { id, timestamp } = verifier.verifySignature(headers, body);
    return { id, timestamp, body, receivedAt };
  } catch (error) {
    if (error instanceof WebhookVerificationError && isRefusal(error.code)) return error.code;
    throw error;
  }
}

async function accept(
  event: IncomingEvent,
  { store, report, limits: { clock } }: Reception,
): Promise<Exclude<AcceptOutcome, 'conflict'> | 'event_id_conflict' | 'store_unavailable'> {
  try {
    const accepted = await within(store.accept(event), MAX_ACCEPT_MILLISECONDS, clock);
    if (accepted === null) throw storeTooSlow();
    if (accepted.value !== 'conflict') return accepted.value;
    report({
      code: 'event_id_conflict',
      message:
        'Event id must be new or repeat the same bytes, got other bytes under a known id. The ' +
        'delivery was refused. Compare the deliveries of this id in the dashboard.',
      eventId: event.id,
      runId: null,
    });
    return 'event_id_conflict';
  } catch (cause) {
    const message = `The store did not accept the event; the sender retries. ${describeThrown(cause)}`;
    report({ code: 'store_unavailable', message, eventId: event.id, runId: null, cause });
    return 'store_unavailable';
  }
}

/** If the store keeps the event later, the next attempt is a duplicate. */
function storeTooSlow(): StoreError {
  const message = `Store must accept an event within ${MAX_ACCEPT_MILLISECONDS} ms, got no result.`;
  return new StoreError('store_unavailable', message);
}

function bodyAlreadyRead(): Parameters<ReportProblem>[0] {
  return {
    code: 'body_already_read',
    message:
      'Body must be unread, got a body that a parser consumed. Mount the receiver before ' +
      'express.json(), koa-bodyparser and similar parsers, or exclude its path from them.',
    eventId: null,
    runId: null,
  };
}
