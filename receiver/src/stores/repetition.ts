import { hash } from 'node:crypto';

import type { AcceptOutcome } from './store.ts';

/** What a store keeps of an accepted body: the bytes until the event is settled, then their digest. */
export interface KeptBody {
  readonly body: Uint8Array | null;
  readonly digest: string | null;
}

/** Returns the SHA-256 digest that a store keeps of the body of a settled event. A text costs stores less than bytes. */
export function bodyDigest(body: Uint8Array): string {
  return hash('sha256', body, 'base64url');
}

/** Returns whether a delivery under a known id repeats the accepted bytes. */
export function repetitionOutcome(
  body: Uint8Array,
  accepted: KeptBody,
): Exclude<AcceptOutcome, 'new'> {
  const isSame =
    accepted.body === null
      ? accepted.digest === bodyDigest(body)
      : Buffer.compare(accepted.body, body) === 0;
  return isSame ? 'duplicate' : 'conflict';
}
