import { isRefusal } from '../answers.ts';
import type { AnswerCode } from '../answers.ts';
import { WebhookVerificationError } from '../errors.ts';
import { describeThrown } from '../problems.ts';
import type { ReportProblem } from '../problems.ts';
import { StoreError } from '../stores/store-error.ts';
import type { AcceptOutcome, IncomingEvent, Store } from '../stores/store.ts';
import type { Verifier } from '../verify/verifier.ts';
import { within } from '../within.ts';
import type { BodyLimits, ReceiveRequest } from './receive-request.ts';

/** What a request came to. `eventId` is known once the signature fits. */
export interface Received {
  readonly code: AnswerCode;
  readonly eventId: string | null;
}

export interface Reception {
  readonly limits: BodyLimits;
  readonly verifier: Verifier;
  /** Until then, in milliseconds since the epoch, no secret fitting is no final answer. */
  readonly rotationUntil: number;
  readonly store: Store;
  readonly report: ReportProblem;
}

/** Senders give up after ten seconds or more; the answer has to come before. */
const LONGEST_ACCEPT_MILLISECONDS = 8_000;

const JSON_TYPE = /^application\/json[\t ]*(?:;|$)/i;

/** From the request to the durable event: every step may end the way with an answer of its own. */
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

function refused(code: AnswerCode): Received {
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
): IncomingEvent | AnswerCode {
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
    const accepted = await within(store.accept(event), LONGEST_ACCEPT_MILLISECONDS, clock);
    if (accepted === null) throw storeTooSlow();
    if (accepted.value !== 'conflict') return accepted.value;
    report({
      code: 'event_id_conflict',
      message:
        'An authentic delivery bears the id of another event, with other bytes. It was refused; ' +
        'compare the deliveries of this id in the dashboard.',
      eventId: event.id,
      runId: null,
    });
    return 'event_id_conflict';
  } catch (cause) {
    const message = `The event was not accepted, the sender tries again: ${describeThrown(cause)}`;
    report({ code: 'store_unavailable', message, eventId: event.id, runId: null, cause });
    return 'store_unavailable';
  }
}

/** Should the store keep the event after all, the next attempt is a duplicate. */
function storeTooSlow(): StoreError {
  const message = `The store did not answer within ${LONGEST_ACCEPT_MILLISECONDS} ms.`;
  return new StoreError('store_unavailable', message);
}

function bodyAlreadyRead(): Parameters<ReportProblem>[0] {
  return {
    code: 'body_already_read',
    message:
      'Something read or parsed the body before the receiver, so its exact bytes are gone. Mount ' +
      'the receiver before express.json(), koa-bodyparser and the like, or leave its path out there.',
    eventId: null,
    runId: null,
  };
}
