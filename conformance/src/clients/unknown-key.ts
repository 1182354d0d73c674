import { createHash } from 'node:crypto';

/** Labels in front of the secret part, such as `hpk_` or `sk_live_`. */
const LABELS = /^(?:[a-z]{1,8}[_-]){0,3}/i;

const CLASSES = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const HEX = ['0123456789', 'abcdef', 'ABCDEF'];

/**
 * An unknown key in the form of a real one: the same labels, length and kinds of characters, so that only the key itself
 * is wrong. A digest chooses the characters, so that the result does not reveal the real key.
 */
export function unknownKeyLike(key: string): string {
  const label = LABELS.exec(key)?.[0] ?? '';
  const secret = key.slice(label.length);
  const classes = /^[0-9a-f]+$/i.test(secret) ? HEX : CLASSES;
  const replaced = Array.from(secret, (character, index) => {
    const alphabet = classes.find((each) => each.includes(character));
    return alphabet === undefined ? character : alphabet[digit(key, index) % alphabet.length];
  });
  return label + replaced.join('');
}

function digit(key: string, index: number): number {
  return createHash('sha256').update(`unknown ${index} ${key}`).digest().readUInt32BE();
}
