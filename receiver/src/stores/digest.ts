import { hash } from 'node:crypto';

/**
 * Returns what a store keeps of a body for as long as it knows the id, to tell a repetition from a
 * conflict.
 */
export function bodyDigest(body: Uint8Array): string {
  return hash('sha256', body, 'base64url');
}
