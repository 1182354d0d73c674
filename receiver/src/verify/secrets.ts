import { SECRET_PREFIX } from '@hookproof/spec';

const MOST_SECRETS = 8;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/**
 * How the key is made from a secret: `utf8` takes the bytes of the whole string, prefix included;
 * `base64` decodes the part after the prefix.
 */
export type SecretEncoding = 'utf8' | 'base64';

/** One key for each secret; throws a `TypeError` that names the fix and never shows the secret. */
export function readSecrets(
  secrets: string | readonly string[],
  encoding: SecretEncoding = 'utf8',
): readonly Uint8Array[] {
  const list = typeof secrets === 'string' ? [secrets] : secrets;
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_SECRETS) {
    throw new TypeError(
      `secrets must be one endpoint secret or an array of 1 to ${MOST_SECRETS}; ` +
        (Array.isArray(list) ? `received ${list.length}` : `received ${typeof list}`),
    );
  }
  return list.map((secret: unknown, index) => readSecret(secret, encoding, `secrets[${index}]`));
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
  if (secret.trim() !== secret) {
    throw new TypeError(`${name} begins or ends with a blank or a line break; trim it`);
  }
  if (!secret.startsWith(SECRET_PREFIX) || secret.length === SECRET_PREFIX.length) {
    throw new TypeError(
      `${name} must be the endpoint secret with its prefix ${SECRET_PREFIX}, as the dashboard shows it`,
    );
  }
  if (encoding === 'utf8') return Buffer.from(secret, 'utf8');
  const encoded = secret.slice(SECRET_PREFIX.length);
  if (!BASE64.test(encoded)) {
    throw new TypeError(
      `${name} is not base64 after its prefix, as secretEncoding 'base64' requires; ` +
        "leave secretEncoding out to use the whole string, which is the default ('utf8')",
    );
  }
  return Buffer.from(encoded, 'base64');
}
