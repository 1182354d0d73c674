import { createHmac } from 'node:crypto';

import { SECRET_PREFIX, SIGNATURE_PREFIX } from '@hookproof/spec';

/** How a secret becomes the key of the HMAC. The contract leaves this open. */
export type SecretEncoding = 'utf8' | 'base64';

/** The key bytes of an endpoint secret: the whole string as UTF-8, or the part after `whsec_` as base64. */
export function keyBytes(secret: string, encoding: SecretEncoding): Buffer {
  if (encoding === 'utf8') return Buffer.from(secret, 'utf8');
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  return Buffer.from(encoded, 'base64');
}

/** The signed content: id and timestamp exactly as in the headers, and the raw body. */
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
 * Whether a signature header matches a message. The contract leaves open how the secret becomes a key and the case of
 * hex digits, so that both keys and both cases match.
 */
export function verifies(secret: string, header: string, message: SignedMessage): boolean {
  if (!header.startsWith(SIGNATURE_PREFIX)) return false;
  const given = header.slice(SIGNATURE_PREFIX.length).toLowerCase();
  return (['utf8', 'base64'] as const).some(
    (encoding) => digest(keyBytes(secret, encoding), message) === given,
  );
}
