import { createHash } from 'node:crypto';

import { SECRET_PREFIX, SIGNATURE_HEADERS } from '@hookproof/spec';

import { sign } from '../../platform/sender/headers.ts';
import type { SignedMessage } from '../../platform/sender/headers.ts';
import type { DeliveryRequest, OutgoingRequest } from '../../platform/sender/post.ts';
import type { DeliveryFault } from './delivery-fault.ts';
import { cutAfter, inPieces } from './write-body.ts';

/** Returns the altered request of a delivery fault. A fault that affects only the time changes nothing. */
export function alterRequest(
  request: DeliveryRequest,
  secret: string,
  fault: DeliveryFault,
): OutgoingRequest {
  const { message, body } = request;
  switch (fault.name) {
    case 'stale-timestamp':
      return dated(request, secret, message.timestamp - fault.seconds);
    case 'future-timestamp':
      return dated(request, secret, message.timestamp + fault.seconds);
    case 'wrong-secret':
      return signed(request, wrongSecret(secret), message);
    case 'tampered-body':
      return { ...request, body: tamper(body) };
    case 'truncated-body': {
      const bytes = fault.bytes ?? Math.floor(body.byteLength / 2);
      return { ...request, writeBody: cutAfter(Math.min(bytes, body.byteLength - 1)) };
    }
    case 'slow-drip': {
      const pieces = Math.min(fault.pieces, body.byteLength);
      return { ...request, writeBody: inPieces(pieces, fault.milliseconds) };
    }
    case 'delay':
    case 'drop-then-redeliver':
    case 'duplicate':
    case 'reorder':
      return request;
    default:
      return fault satisfies never;
  }
}

/** A timestamp must not be negative. */
function dated(request: DeliveryRequest, secret: string, timestamp: number): OutgoingRequest {
  return signed(request, secret, { ...request.message, timestamp: Math.max(0, timestamp) });
}

function signed(request: DeliveryRequest, secret: string, message: SignedMessage): OutgoingRequest {
  const headers = {
    ...request.headers,
    [SIGNATURE_HEADERS.timestamp]: String(message.timestamp),
    [SIGNATURE_HEADERS.signature]: sign(secret, message),
  };
  return { ...request, message, headers };
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
