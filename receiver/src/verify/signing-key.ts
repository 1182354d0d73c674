import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Returns the position of the key under which the HMAC-SHA256 of a message is one of these digests,
 * -1 for none: for a source of your own. Each key costs one HMAC, whichever matches, and digests
 * are compared in constant time.
 *
 * @param keys The bytes of each secret.
 * @param message Its parts, one after the other.
 * @param digests What the delivery says. One that has not 32 bytes matches nothing.
 * @example
 * ```ts
 * import { signingKey } from '@hookproof/receiver/verify';
 *
 * export function isFromShop(rawBody: Uint8Array, signature: string, secret: string): boolean {
 *   const isDigest = /^[\da-f]{64}$/.test(signature);
 *   return isDigest && signingKey([Buffer.from(secret)], [rawBody], [Buffer.from(signature, 'hex')]) === 0;
 * }
 * ```
 */
export function signingKey(
  keys: readonly Uint8Array[],
  message: readonly (string | Uint8Array)[],
  digests: readonly Uint8Array[],
): number {
  let found = -1;
  // Every key costs one MAC, also after a match, so that the time does not reveal which one
  // matched.
  for (const [index, key] of keys.entries()) {
    const mac = createHmac('sha256', key);
    for (const part of message) mac.update(part);
    const computed = mac.digest();
    for (const digest of digests) {
      const isSame = digest.length === computed.length && timingSafeEqual(computed, digest);
      if (isSame && found < 0) found = index;
    }
  }
  return found;
}
