import { SECRET_PREFIX } from '@hookproof/spec';

const MOST_SECRETS = 8;
const BASE64 = /^([a-z\d+/]{4})*([a-z\d+/]{2,3}={0,2})?$/i;

/**
 * How the key is made from a secret: `utf8` takes the bytes of the whole string, prefix included;
 * `base64` decodes the part after the prefix.
 */
export type SecretEncoding = 'utf8' | 'base64';

/** One key for each secret; throws a `TypeError` that names the fix and never shows the secret. */
export function readSecrets(
  secrets: string | readonly string[],
  encoding?: SecretEncoding,
): readonly Uint8Array[] {
  const list: readonly unknown[] = [secrets].flat();
  if (list.length === 0 || list.length > MOST_SECRETS) {
    throw new TypeError(`secrets must be 1 to ${MOST_SECRETS}, not ${list.length}`);
  }
  return list.map((secret, index) => readSecret(secret, encoding, `secrets[${index}]`));
}

/** The bytes of the key that a secret stands for; messages call the secret `name`. */
export function readSecret(
  secret: unknown,
  encoding: SecretEncoding = 'utf8',
  name = 'secret',
): Uint8Array {
  if (encoding !== 'utf8' && encoding !== 'base64') {
    throw new TypeError(`secretEncoding must be 'utf8' or 'base64', not ${String(encoding)}`);
  }
  if (typeof secret !== 'string') {
    throw new TypeError(`${name} must be a string, not ${typeof secret}; is the variable set?`);
  }
  const encoded = secret.slice(SECRET_PREFIX.length);
  if (!secret.startsWith(SECRET_PREFIX) || encoded === '' || secret.trim() !== secret) {
    throw new TypeError(
      `${name} must begin with ${SECRET_PREFIX} and have no blank or line break around it`,
    );
  }
  if (encoding === 'utf8') return Buffer.from(secret);
  if (BASE64.test(encoded)) return Buffer.from(encoded, encoding);
  throw new TypeError(`${name} is not base64 after the prefix; is secretEncoding 'utf8' meant?`);
}
