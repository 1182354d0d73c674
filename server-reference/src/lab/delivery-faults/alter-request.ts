import { createHash } from 'node:crypto';

import { SECRET_PREFIX, SIGNATURE_HEADERS } from '@hookproof/spec';

import { sign } from '../../events/signed-headers.ts';
import type { DeliveryRequest } from '../../events/order.ts';
import type { DeliveryFault } from './delivery-fault.ts';

/** Returns the altered request of a delivery fault. A fault that affects only how it is sent changes nothing. */
export function alterRequest(
  request: DeliveryRequest,
  secret: string,
  fault: DeliveryFault,
): DeliveryRequest {
  const timestamp = Number(request.headers[SIGNATURE_HEADERS.timestamp]);
  switch (fault.name) {
    case 'stale-timestamp':
      // A timestamp must not be negative.
      return signed(request, secret, Math.max(0, timestamp - fault.seconds));
    case 'future-timestamp':
      return signed(request, secret, timestamp + fault.seconds);
    case 'wrong-secret':
      return signed(request, wrongSecret(secret), timestamp);
    case 'tampered-body':
      return { ...request, body: tamper(request.body) };
    case 'delay':
    case 'drop-then-redeliver':
    case 'duplicate':
    case 'reorder':
    case 'slow-drip':
    case 'truncated-body':
      return request;
    default:
      return fault satisfies never;
  }
}

function signed(request: DeliveryRequest, secret: string, timestamp: number): DeliveryRequest {
  const { id, timestamp: time, signature } = SIGNATURE_HEADERS;
  const message = { id: request.headers[id] ?? '', timestamp, payload: request.body };
  const headers = {
    ...request.headers,
    [time]: String(timestamp),
    [signature]: sign(secret, message),
  };
  return { ...request, headers };
}

/** Returns a well-formed secret that is derived from the real one and differs from it. */
function wrongSecret(secret: string): string {
  return SECRET_PREFIX + createHash('sha256').update(secret).digest('hex');
}

const RUN_ID = Buffer.from('"run":{"id":"');
const QUOTE = '"'.charCodeAt(0);
const [ZERO, ONE] = [0x30, 0x31];

/** Changes the last character of the run id, or of the last text in a payload without one. */
function tamper(body: Buffer): Buffer {
  const runId = body.indexOf(RUN_ID);
  const last = runId === -1 ? lastOfText(body) : body.indexOf(QUOTE, runId + RUN_ID.byteLength) - 1;
  const tampered = Buffer.from(body);
  tampered[last] = tampered[last] === ZERO ? ONE : ZERO;
  return tampered;
}

/** Returns the place of the last letter or digit that ends a text. One that a backslash precedes may be an escape. */
function lastOfText(body: Buffer): number {
  const [last] = [...body.toString('latin1').matchAll(/(?<!\\)[a-zA-Z0-9](?=")/g)].slice(-1);
  return last?.index ?? 0;
}
