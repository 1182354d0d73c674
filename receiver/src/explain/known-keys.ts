import { SECRET_PREFIX } from '../generated/constants.ts';
import type { ExplanationCause } from './mistake.ts';

/** A key that a sender or receiver may have used by mistake. */
export interface KnownKey {
  readonly cause: ExplanationCause;
  readonly evidence: string;
  readonly fix: string;
  readonly key: Uint8Array;
}

/** What a key is made of by mistake; a text is taken as UTF-8. */
type Making = readonly [
  cause: ExplanationCause,
  what: string,
  fix: string,
  key: string | Uint8Array,
];

const CLEAN_FIX = 'Remove it where the secret is stored, for example in the environment file.';

/**
 * Returns the keys that known mistakes make of a secret.
 *
 * @param name How messages call the secret.
 */
export function keysMade(name: string, makings: readonly Making[]): readonly KnownKey[] {
  return makings.map(([cause, what, fix, key]) => {
    const evidence = `The signature matches ${name} ${what}.`;
    return { cause, evidence, fix, key: typeof key === 'string' ? Buffer.from(key) : key };
  });
}

/**
 * Returns what surrounds a secret by mistake.
 *
 * @param keyOf Returns the key that the sender makes of a secret.
 */
export function surroundings(
  secret: string,
  keyOf: (text: string) => string | Uint8Array,
): readonly Making[] {
  const unquoted = secret.replaceAll(/^["']|["']$/g, '');
  return [
    ['secret_with_newline', 'with a newline at its end', CLEAN_FIX, keyOf(`${secret}\n`)],
    ['secret_with_newline', 'with CR and LF at its end', CLEAN_FIX, keyOf(`${secret}\r\n`)],
    ['secret_with_space', 'with a space at its end', CLEAN_FIX, keyOf(`${secret} `)],
    ['secret_with_space', 'with a space at its start', CLEAN_FIX, keyOf(` ${secret}`)],
    ['secret_with_space', 'without the whitespace around it', CLEAN_FIX, keyOf(secret.trim())],
    ['secret_with_quotes', 'in double quotes', CLEAN_FIX, keyOf(`"${secret}"`)],
    ['secret_with_quotes', 'in single quotes', CLEAN_FIX, keyOf(`'${secret}'`)],
    ['secret_with_quotes', 'without the quotes around it', CLEAN_FIX, keyOf(unquoted)],
    ['key_empty', 'read as empty', 'Check the environment variable of the signer.', ''],
  ];
}

/** Returns the part of a secret after its prefix. */
export function withoutPrefix(secret: string): string {
  return secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
}
