import { SECRET_PREFIX } from '../generated/constants.ts';
import { mustBe } from './errors.ts';

const MAX_SECRETS = 8;
const SECRET = /^whsec_.*\S$/s;
const SEVERAL_SECRETS = /[,;\s]\s*["'`]?whsec_/;

/** The endpoint secret with its prefix `whsec_`, or up to 8 secrets during a rotation. */
export type Secrets = string | readonly string[];

/** Returns the secrets, for instance from a secret manager. It is called for each delivery. */
export type ReadSecrets = () => Secrets | Promise<Secrets>;

/**
 * Reports that the function `secrets` failed or returned what are no secrets; `cause` is what it
 * threw. Respond with 503, so that the sender retries.
 *
 * @example
 * ```ts
 * import { SecretsUnavailableError } from '@hookproof/receiver/verify';
 *
 * export function statusOf(error: unknown): number {
 *   return error instanceof SecretsUnavailableError ? 503 : 500;
 * }
 * ```
 */
export class SecretsUnavailableError extends Error {
  override readonly name = 'SecretsUnavailableError';
  /** Stable between releases. */
  readonly code = 'secrets_unavailable';
}

/**
 * How the key is made from a secret: `utf8` takes the bytes of the whole string, prefix included;
 * `base64` decodes the part after the prefix.
 */
export type SecretEncoding = 'utf8' | 'base64';

/**
 * Returns one key for each secret. Messages name the function whose option it is, if there is one.
 *
 * @throws {TypeError} When a secret or the encoding is invalid. The message never shows the secret.
 */
export function readSecrets(
  secrets: Secrets,
  encoding?: SecretEncoding,
  owner?: string,
): readonly Uint8Array<ArrayBuffer>[] {
  return keysOf(secrets, owner, (secret, name) => readSecret(secret, encoding, name));
}

/**
 * Returns one key for each secret of a sender whose secrets have no prefix: the bytes of its text.
 * Messages name the function whose option it is.
 *
 * @throws {TypeError} When a secret is invalid. The message never shows the secret.
 */
export function textSecrets(secrets: Secrets, owner: string): readonly Uint8Array<ArrayBuffer>[] {
  return keysOf(secrets, owner, (secret, name) => {
    if (typeof secret === 'string' && /^\S(?:.*\S)?$/s.test(secret)) {
      return new TextEncoder().encode(secret);
    }
    const expected = 'a text without whitespace around it';
    throw new TypeError(mustBe(name, expected, formOf(secret), ' Check its environment variable.'));
  });
}

function keysOf(
  secrets: Secrets,
  owner: string | undefined,
  read: (secret: unknown, name: string) => Uint8Array<ArrayBuffer>,
): readonly Uint8Array<ArrayBuffer>[] {
  const list: readonly unknown[] = [secrets].flat();
  const of = owner === undefined ? '' : ` of ${owner}`;
  if (list.length < 1 || list.length > MAX_SECRETS) {
    throw new TypeError(mustBe(`secrets${of}`, `1 to ${MAX_SECRETS} secrets`, list.length));
  }
  const nameOf = (index: number): string =>
    `${Array.isArray(secrets) ? `secrets[${index}]` : 'secrets'}${of}`;
  const keys = list.map((secret, index) => read(secret, nameOf(index)));
  for (const [index, secret] of list.entries()) {
    const first = list.indexOf(secret);
    if (first === index) continue;
    const expected = `another secret than secrets[${first}]`;
    throw new TypeError(mustBe(nameOf(index), expected, 'the same', ' Leave one of them out.'));
  }
  return keys;
}

/**
 * Calls the function of an option, and returns one key for each secret.
 *
 * @throws {SecretsUnavailableError} When it throws, or returns what are no secrets.
 */
export async function currentKeys(
  read: ReadSecrets,
  encoding?: SecretEncoding,
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  try {
    return readSecrets(await read(), encoding);
  } catch (cause) {
    const received = cause instanceof Error ? `${cause.name}: ${cause.message}` : 'a thrown value';
    const message = mustBe('secrets', 'a function that returns the secrets', received);
    throw new SecretsUnavailableError(message, { cause });
  }
}

/** Says what is wrong with a secret, and never shows it. */
function formOf(secret: unknown): string {
  if (typeof secret !== 'string') return typeof secret;
  if (secret === '') return 'an empty string';
  if (/^\s|\s$/.test(secret)) return 'a string with whitespace around it';
  if (/^(["'`]).*\1$/s.test(secret)) return 'a string in quotes';
  return secret === SECRET_PREFIX ? `only ${SECRET_PREFIX}` : `a string without ${SECRET_PREFIX}`;
}

/** Returns the key bytes of a secret, which messages call `name`. */
export function readSecret(
  secret: unknown,
  encoding: SecretEncoding = 'utf8',
  name: string,
): Uint8Array<ArrayBuffer> {
  if (typeof secret !== 'string' || !SECRET.test(secret)) {
    const expected = `${SECRET_PREFIX}… without whitespace around it`;
    throw new TypeError(mustBe(name, expected, formOf(secret), ' Check its environment variable.'));
  }
  if (SEVERAL_SECRETS.test(secret)) {
    const fix = ` Pass a list, such as value.split(',').`;
    throw new TypeError(mustBe(name, 'one secret', 'several in one string', fix));
  }
  checkEncoding(encoding);
  if (encoding === 'utf8') return new TextEncoder().encode(secret);
  try {
    const bytes = atob(secret.slice(SECRET_PREFIX.length));
    return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
  } catch {
    throw new TypeError(mustBe(name, `${SECRET_PREFIX} and base64`, 'other characters'));
  }
}

/** @throws {TypeError} When it is none. */
export function checkEncoding(encoding: SecretEncoding = 'utf8'): void {
  if (encoding === 'utf8' || encoding === 'base64') return;
  throw new TypeError(mustBe('secretEncoding', 'utf8 or base64', encoding));
}
