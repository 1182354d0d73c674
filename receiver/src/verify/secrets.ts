import { SECRET_PREFIX } from '../generated/constants.ts';

const MAX_SECRETS = 8;
const BASE64 = /^([a-z\d+/]{4})*([a-z\d+/]{2,3}={0,2})?$/i;

/**
 * How the key is made from a secret: `utf8` takes the bytes of the whole string, prefix included;
 * `base64` decodes the part after the prefix.
 */
export type SecretEncoding = 'utf8' | 'base64';

/**
 * Returns one key for each secret.
 *
 * @throws {TypeError} When a secret or the encoding is invalid. The message never shows the secret.
 */
export function readSecrets(
  secrets: string | readonly string[],
  encoding?: SecretEncoding,
): readonly Uint8Array[] {
  const list: readonly unknown[] = [secrets].flat();
  if (list.length === 0 || list.length > MAX_SECRETS) {
    throw new TypeError(`secrets must hold 1 to ${MAX_SECRETS} secrets, got ${list.length}.`);
  }
  return list.map((secret, index) => readSecret(secret, encoding, `secrets[${index}]`));
}

/** Returns the key bytes of a secret, which messages call `name`. */
export function readSecret(
  secret: unknown,
  encoding: SecretEncoding = 'utf8',
  name = 'secret',
): Uint8Array {
  if (encoding !== 'utf8' && encoding !== 'base64') {
    throw new TypeError(`secretEncoding must be 'utf8' or 'base64', got ${String(encoding)}.`);
  }
  if (typeof secret !== 'string') {
    throw new TypeError(
      `${name} must be a string, got ${typeof secret}. Check its environment variable.`,
    );
  }
  const encoded = secret.slice(SECRET_PREFIX.length);
  if (!secret.startsWith(SECRET_PREFIX) || encoded === '' || secret.trim() !== secret) {
    throw new TypeError(
      `${name} must start with ${SECRET_PREFIX} and have no surrounding whitespace.`,
    );
  }
  if (encoding === 'utf8') return Buffer.from(secret);
  if (BASE64.test(encoded)) return Buffer.from(encoded, encoding);
  throw new TypeError(
    `${name} must be base64 after ${SECRET_PREFIX}. Correct it, or use secretEncoding 'utf8'.`,
  );
}
