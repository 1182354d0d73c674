import { createHash } from 'node:crypto';

import { SECRET_PREFIX, SIGNATURE_HEADERS } from '@hookproof/spec';

import { sign } from '../../platform/sender/headers.ts';
import type { SignedMessage } from '../../platform/sender/headers.ts';
import type { Affliction } from './delivery-fault.ts';

/** How the bytes of a body leave. */
export type BodyPace =
  | { readonly kind: 'whole' }
  /** So many bytes, and then the connection ends. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The first piece at once, the last one so much later. */
  | { readonly kind: 'pieces'; readonly pieces: number; readonly milliseconds: number };

/** A request before it leaves. */
export interface Departure {
  /** What its headers say and its signature covers. */
  readonly message: SignedMessage;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes that leave, which its signature may not fit. */
  readonly body: Buffer;
  readonly pace: BodyPace;
}

/** The departure that a pathology makes of an honest one. Those that only move it in time leave it as it is. */
export function afflict(honest: Departure, secret: string, affliction: Affliction): Departure {
  const { message, body } = honest;
  if (affliction.name === 'stale-timestamp') {
    return dated(honest, secret, message.timestamp - affliction.seconds);
  }
  if (affliction.name === 'future-timestamp') {
    return dated(honest, secret, message.timestamp + affliction.seconds);
  }
  if (affliction.name === 'wrong-secret') return signed(honest, wrongSecret(secret), message);
  if (affliction.name === 'tampered-body') return { ...honest, body: tamper(body) };
  const { byteLength } = body;
  if (affliction.name === 'truncated-body') {
    const afterBytes = Math.min(affliction.bytes ?? Math.floor(byteLength / 2), byteLength - 1);
    return { ...honest, pace: { kind: 'cut', afterBytes } };
  }
  if (affliction.name === 'slow-drip') {
    const { milliseconds } = affliction;
    const pieces = Math.min(affliction.pieces, byteLength);
    return { ...honest, pace: { kind: 'pieces', pieces, milliseconds } };
  }
  return honest;
}

/** Before 1970 there is no timestamp. */
function dated(honest: Departure, secret: string, timestamp: number): Departure {
  return signed(honest, secret, { ...honest.message, timestamp: Math.max(0, timestamp) });
}

function signed(honest: Departure, secret: string, message: SignedMessage): Departure {
  const headers = {
    ...honest.headers,
    [SIGNATURE_HEADERS.timestamp]: String(message.timestamp),
    [SIGNATURE_HEADERS.signature]: sign(secret, message),
  };
  return { ...honest, message, headers };
}

/** A secret of the same form that follows from the real one and differs from it. */
function wrongSecret(secret: string): string {
  return SECRET_PREFIX + createHash('sha256').update(secret).digest('hex');
}

const RUN_ID = Buffer.from('"run":{"id":"');
const QUOTE = '"'.charCodeAt(0);
const [ZERO, ONE] = [0x30, 0x31];

/** Changes the last character of the run's id: the event tells of another run then. */
function tamper(body: Buffer): Buffer {
  const last = body.indexOf(QUOTE, body.indexOf(RUN_ID) + RUN_ID.byteLength) - 1;
  const tampered = Buffer.from(body);
  tampered[last] = tampered[last] === ZERO ? ONE : ZERO;
  return tampered;
}
