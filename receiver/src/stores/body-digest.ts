import { createHash } from 'node:crypto';

/** What is kept of a body after its event is settled, to tell a repetition from a conflict. */
export function bodyDigest(body: Uint8Array): Uint8Array {
  return createHash('sha256').update(body).digest();
}

export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
