import { createHash } from 'node:crypto';

import { labelOf } from '../redaction/label.ts';
import type { KeyDifference } from './api-client.ts';

const CLASSES = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const HEX = ['0123456789', 'abcdef', 'ABCDEF'];

/**
 * An unknown key in the form of a real one: the same labels, length and kinds of characters, so that only the key itself
 * is wrong. A digest chooses the characters, so that the result does not reveal the real key.
 */
export function unknownKeyLike(key: string): string {
  const label = labelOf(key);
  const secret = key.slice(label.length);
  const classes = /^[0-9a-f]+$/i.test(secret) ? HEX : CLASSES;
  const replaced = Array.from(secret, (character, index) => {
    const alphabet = classes.find((each) => each.includes(character));
    return alphabet === undefined ? character : alphabet[digit(key, index) % alphabet.length];
  });
  return label + replaced.join('');
}

/** An unknown key that a lax comparison takes for this one. */
export function nearKey(key: string, difference: KeyDifference): string {
  if (difference === 'tail') return `${key}0`;
  const unknown = unknownKeyLike(key);
  const label = labelOf(key);
  const middle = Math.ceil((label.length + key.length) / 2);
  return key.slice(0, middle) + unknown.slice(middle);
}

function digit(key: string, index: number): number {
  return createHash('sha256').update(`unknown ${index} ${key}`).digest().readUInt32BE();
}
