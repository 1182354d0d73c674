import { API_VERSION } from '@hookproof/spec';

import { WebhookVerificationError } from '../errors.ts';
import {
  envelopeProblem,
  isEnvelope,
  isRunEvent,
  isRunEventType,
  runEventProblem,
} from './event-shape.ts';
import type { EventEnvelope } from './event-shape.ts';
import { requireRawBytes } from './raw-body.ts';
import type { WebhookEvent } from './webhook-event.ts';

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the event in a body that `verifySignature` has accepted. Bytes that are not UTF-8, a byte
 * order mark and JSON that does not parse are refused; fields that the contract does not name are kept.
 *
 * @param rawBody The bytes that were verified.
 * @param deliveryId The verified `webhook-id`, which the body has to repeat.
 * @throws {WebhookVerificationError} With `stage` `event` and the code `body_not_utf8`,
 *   `body_not_json`, `event_invalid` or `event_id_mismatch`.
 * @throws {TypeError} When `rawBody` is not bytes.
 */
export function decodeEvent(rawBody: Uint8Array, deliveryId: string): WebhookEvent {
  requireRawBytes(rawBody);
  const event = parse(decodeText(rawBody));
  if (!isEnvelope(event)) throw eventInvalid(envelopeProblem(event));
  if (event.id !== deliveryId) {
    throw new WebhookVerificationError(
      'event_id_mismatch',
      'The id in the body is not the id in the header webhook-id. Both come from the sender, which ' +
        'has to make them equal.',
    );
  }
  if (isRunEvent(event)) return event;
  if (isRunEventType(event.type) && event.apiVersion === API_VERSION) {
    throw eventInvalid(runEventProblem(event));
  }
  return unknownEvent(event);
}

function decodeText(rawBody: Uint8Array): string {
  try {
    return UTF_8.decode(rawBody);
  } catch {
    throw new WebhookVerificationError(
      'body_not_utf8',
      'The body is authentic but holds bytes that are not UTF-8, which JSON has to be.',
    );
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WebhookVerificationError(
      'body_not_json',
      `The body is authentic but its ${text.length} characters are not JSON.`,
    );
  }
}

function eventInvalid(problem: string | undefined): WebhookVerificationError {
  return new WebhookVerificationError(
    'event_invalid',
    `The body is authentic but not an event of version ${API_VERSION}: ${problem}.`,
  );
}

function unknownEvent({
  type,
  id,
  apiVersion,
  createdAt,
  test,
  data,
}: EventEnvelope): WebhookEvent {
  return { type: 'unknown', receivedType: type, id, apiVersion, createdAt, test, data };
}
