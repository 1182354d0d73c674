import { createHmac, randomBytes } from 'node:crypto';

/** Tells a key from others in a journal, with a salt of its own, so that nothing of the key can be read from it. */
export function keyDigestOf(key: string, salt: string = randomBytes(8).toString('hex')): string {
  return `${salt}:${createHmac('sha256', salt).update(key).digest('hex').slice(0, 16)}`;
}

/** Whether a digest is that of a key. */
export function isDigestOf(key: string, digest: string): boolean {
  return keyDigestOf(key, digest.split(':')[0]) === digest;
}
