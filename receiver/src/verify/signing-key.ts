import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Returns the position of the key under which a message has one of these digests, -1 for none. It
 * is the only place of the receiver that compares digests.
 *
 * @param message its parts, one after the other
 * @param digests each of 32 bytes
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
      if (timingSafeEqual(computed, digest) && found < 0) found = index;
    }
  }
  return found;
}
