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

/** One way to make key bytes of a secret. */
export interface KeyReading {
  /** As a part of a sentence: "the whole secret". */
  readonly what: string;
  readonly key: Buffer;
  /** The option with which the suite signs with this key; null without one. */
  readonly option: string | null;
}

/** The keys that a secret can stand for: the contract leaves open how its text becomes key bytes. */
export function readingsOf(secret: string): readonly KeyReading[] {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const readings: KeyReading[] = [
    {
      what: 'the whole secret',
      key: Buffer.from(secret, 'utf8'),
      option: '--secret-encoding utf8',
    },
    {
      what: `the text after ${SECRET_PREFIX}`,
      key: Buffer.from(text, 'utf8'),
      option: `--secret with the text after ${SECRET_PREFIX} alone`,
    },
  ];
  // Other texts decode to a part of the secret, or to an empty key.
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) {
    readings.push({
      what: `the Base64 decoding of the text after ${SECRET_PREFIX}`,
      key: Buffer.from(text, 'base64'),
      option: '--secret-encoding base64',
    });
  }
  if (/^(?:[0-9A-Fa-f]{2})+$/.test(text)) {
    const key = Buffer.from(text, 'hex');
    readings.push({
      what: `the hex decoding of the text after ${SECRET_PREFIX}`,
      key,
      option: null,
    });
  }
  return readings.filter(({ key }) => key.length > 0);
}

/** The key whose digest of the message is in the header; undefined when none matches. Hex digits match in either case. */
export function matchingKey(
  secret: string,
  header: string,
  message: SignedMessage,
): Buffer | undefined {
  if (!header.startsWith(SIGNATURE_PREFIX)) return undefined;
  const given = header.slice(SIGNATURE_PREFIX.length).toLowerCase();
  return readingsOf(secret).find(({ key }) => digest(key, message) === given)?.key;
}

/** Whether a signature header matches a message, with any key that the secret can stand for. */
export function verifies(secret: string, header: string, message: SignedMessage): boolean {
  return matchingKey(secret, header, message) !== undefined;
}
