import { hash } from 'node:crypto';

import type { AcceptOutcome } from './store.ts';

/** What a store keeps of an accepted body: the bytes until the event is settled, then their digest. */
export interface KeptBody {
  readonly body: Uint8Array | null;
  readonly digest: Uint8Array | null;
}

/** Returns the SHA-256 digest that a store keeps of the body of a settled event. */
export function bodyDigest(body: Uint8Array): Uint8Array {
  return hash('sha256', body, 'buffer');
}

/** Returns whether a delivery under a known id repeats the accepted bytes. */
export function repetitionOutcome(
  body: Uint8Array,
  accepted: KeptBody,
): Exclude<AcceptOutcome, 'new'> {
  if (accepted.body !== null) return sameBytes(accepted.body, body) ? 'duplicate' : 'conflict';
  if (accepted.digest === null) return 'conflict';
  return sameBytes(accepted.digest, bodyDigest(body)) ? 'duplicate' : 'conflict';
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
