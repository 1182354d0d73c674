import { createHmac } from 'node:crypto';

import { SECRET_PREFIX, SIGNATURE_PREFIX } from '@hookproof/spec';

/** How a secret becomes the key of the HMAC; the contract leaves it open. */
export type SecretEncoding = 'utf8' | 'base64';

/** The key bytes of an endpoint secret: the whole string as UTF-8, or what follows `whsec_` from base64. */
export function keyBytes(secret: string, encoding: SecretEncoding): Buffer {
  if (encoding === 'utf8') return Buffer.from(secret, 'utf8');
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  return Buffer.from(encoded, 'base64');
}

/** What is signed: the id and the timestamp as they stand in the headers, and the raw body. */
export interface SignedMessage {
  readonly id: string;
  readonly timestamp: string;
  readonly body: Uint8Array | string;
}

/** Lower-case hex of the HMAC-SHA256 over `<id>.<timestamp>.<body>`. */
export function digest(key: Uint8Array, { id, timestamp, body }: SignedMessage): string {
  const parts = [Buffer.from(`${id}.${timestamp}.`, 'latin1'), Buffer.from(body)];
  return createHmac('sha256', key).update(Buffer.concat(parts)).digest('hex');
}

/** Value of `webhook-signature`. */
export function signature(key: Uint8Array, message: SignedMessage): string {
  return SIGNATURE_PREFIX + digest(key, message);
}

/**
 * Whether a signature header fits a message. Every way to read the secret is tried, and either case of
 * hex digits is taken, because the contract leaves both open.
 */
export function verifies(secret: string, header: string, message: SignedMessage): boolean {
  if (!header.startsWith(SIGNATURE_PREFIX)) return false;
  const given = header.slice(SIGNATURE_PREFIX.length).toLowerCase();
  return (['utf8', 'base64'] as const).some(
    (encoding) => digest(keyBytes(secret, encoding), message) === given,
  );
}
