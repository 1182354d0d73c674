import { API_VERSION } from '../generated/constants.ts';
import type { RunEvent } from '../generated/run-events.ts';

import {
  envelopeProblem,
  isEnvelope,
  isRunEvent,
  isRunEventType,
  runEventProblem,
} from './event-shape.ts';
import type { ShapeProblem } from './event-shape.ts';
import { parseJson, requireRawBytes, senderError } from './raw-body.ts';

/**
 * An authentic event that this release does not know: of another type, or of another `apiVersion`
 * and with a shape that no known event has. It is passed on instead of refused, so that new types
 * of the platform are not lost.
 */
export interface UnknownEvent {
  /** Marks the event as unknown; the type in the body is `receivedType`. */
  readonly type: 'unknown';
  /** The type in the body. */
  readonly receivedType: string;
  /** The event id, which is also the `webhook-id`. */
  readonly id: string;
  /** The version of the contract that the body states. */
  readonly apiVersion: string;
  /** When the event occurred, ISO 8601. */
  readonly createdAt: string;
  /** True for an event of the Send test action. */
  readonly test: boolean;
  /** `data` of the body. Only that it is an object was checked. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** A verified event; `type` says which kind. */
export type WebhookEvent = RunEvent | UnknownEvent;

// Requirements: signature.parse-after-verify, webhook-header.id.equals-body,
// webhook-envelope.fields, webhook-run.fields.
/**
 * Reads the event in a body that `verifySignature` has accepted. Invalid UTF-8, a byte order mark
 * and invalid JSON are refused; fields that the contract does not name are kept.
 *
 * @param rawBody The bytes that were verified.
 * @param deliveryId The verified `webhook-id`, which must equal `id` in the body.
 * @returns A `run.created` or `run.status_changed` event, or an event of type `unknown`.
 * @throws {WebhookVerificationError} With `stage` `event` and the code `body_not_utf8`,
 *   `body_not_json`, `event_invalid` or `event_id_mismatch`.
 * @throws {TypeError} When `rawBody` is not bytes.
 * @example
 * ```ts
 * import { decodeEvent } from '@hookproof/receiver/verify';
 *
 * export function printStatus(verifiedBody: Uint8Array, webhookId: string): void {
 *   const event = decodeEvent(verifiedBody, webhookId);
 *   if (event.type === 'unknown') console.log('unknown type', event.receivedType);
 *   else console.log(event.data.run.id, event.data.run.status);
 * }
 * ```
 */
export function decodeEvent(rawBody: Uint8Array, deliveryId: string): WebhookEvent {
  requireRawBytes(rawBody);
  const event = parseJson(rawBody);
  if (!isEnvelope(event)) throw eventInvalid(envelopeProblem(event));
  const { type, id, apiVersion, createdAt, test, data } = event;
  if (id !== deliveryId) throw senderError('event_id_mismatch', 'id', 'webhook-id', 'another id');
  if (isRunEvent(event)) return event;
  if (isRunEventType(type) && apiVersion === API_VERSION)
    throw eventInvalid(runEventProblem(event));
  return { type: 'unknown', receivedType: type, id, apiVersion, createdAt, test, data };
}

function eventInvalid(problem: ShapeProblem | undefined): Error {
  const [field, expected, received] = problem ?? ['Body', 'an event', 'another object'];
  return senderError('event_invalid', field, expected, received);
}
