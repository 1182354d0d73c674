import { SECRET_PREFIX } from '../generated/constants.ts';
import type { ExplanationCause } from './mistake.ts';

/** A key that a sender or receiver may have used by mistake. */
export interface KnownKey {
  readonly cause: ExplanationCause;
  readonly evidence: string;
  readonly fix: string;
  readonly key: Uint8Array;
}

const ENCODING_FIX = 'Set secretEncoding to what the sender uses.';
const CLEAN_FIX = 'Remove it where the secret is stored, for example in the environment file.';

/**
 * Returns the keys that known mistakes make of a secret.
 *
 * @param name How messages call the secret.
 */
export function knownKeys(secret: string, name: string): readonly KnownKey[] {
  const bare = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const known = (
    cause: ExplanationCause,
    what: string,
    fix: string,
    key: string | Uint8Array,
  ): KnownKey => {
    const evidence = `The signature matches ${name} ${what}.`;
    return { cause, evidence, fix, key: typeof key === 'string' ? Buffer.from(key) : key };
  };
  return [
    known('key_from_utf8', 'as UTF-8, prefix included', ENCODING_FIX, secret),
    known(
      'key_without_prefix',
      `without ${SECRET_PREFIX}`,
      'Use the whole secret as the key, prefix included.',
      bare,
    ),
    known(
      'secret_without_prefix',
      `with ${SECRET_PREFIX} before it`,
      `Set the whole secret, with ${SECRET_PREFIX}.`,
      SECRET_PREFIX + secret,
    ),
    known('key_from_base64', 'decoded from base64', ENCODING_FIX, Buffer.from(bare, 'base64')),
    known('key_from_base64', 'decoded from hex', ENCODING_FIX, Buffer.from(bare, 'hex')),
    known('secret_with_newline', 'with a newline at its end', CLEAN_FIX, `${secret}\n`),
    known('secret_with_newline', 'with CR and LF at its end', CLEAN_FIX, `${secret}\r\n`),
    known('secret_with_space', 'with a space at its end', CLEAN_FIX, `${secret} `),
    known('secret_with_space', 'with a space at its start', CLEAN_FIX, ` ${secret}`),
    known('secret_with_space', 'without the whitespace around it', CLEAN_FIX, secret.trim()),
    known('secret_with_quotes', 'in double quotes', CLEAN_FIX, `"${secret}"`),
    known('secret_with_quotes', 'in single quotes', CLEAN_FIX, `'${secret}'`),
    known(
      'secret_with_quotes',
      'without the quotes around it',
      CLEAN_FIX,
      secret.replaceAll(/^["']|["']$/g, ''),
    ),
    known('key_empty', 'read as empty', 'Check the environment variable of the signer.', ''),
  ];
}
