import { isUtf8 } from 'node:buffer';

/** Shorter texts would match by chance and make reports unreadable. */
export const MIN_SECRET_LENGTH = 8;

/** The type of a key, as in `hpk_` or `sk_live_`: not secret by itself. */
const TYPE_PREFIX = /^(?:[a-z]{2,12}_)+/i;
/** A text with less left after its type is taken as a whole: its underscores separate words. */
const MIN_RANDOM_LENGTH = 12;

/** With a digit, an upper-case and a lower-case letter: words are no base64. */
const BASE64 = /^(?=.*\d)(?=.*[A-Z])(?=.*[a-z])[\w+/-]+=*$/;

/** A text or bytes (as Latin-1) that give a secret away, upper-cased character by character. */
export interface Variant {
  readonly folded: string;
  /** The number of its first characters that are its type. */
  readonly typeLength: number;
}

/** The secret, the same as bytes, and the bytes that its part after the type may encode. */
export function variantsOf(secret: string): readonly Variant[] {
  const typeLength = typeLengthOf(secret);
  const bytes = [Buffer.from(secret), encodedBy(secret.slice(secret.indexOf('_') + 1))];
  const texts = [
    ...bytes.map((one) => one.toString('latin1')),
    ...bytes.filter((one) => isUtf8(one)).map((one) => one.toString('utf8')),
  ];
  return [...new Set(texts)]
    .filter((text) => text.length >= MIN_SECRET_LENGTH)
    .map((text) => ({ folded: fold(text), typeLength: text === secret ? typeLength : 0 }));
}

function encodedBy(text: string): Buffer {
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return Buffer.from(text, 'hex');
  return Buffer.from(BASE64.test(text) ? text : '', 'base64');
}

/** Characters whose upper case is longer, such as ß. */
const EXPANDING = /[\xdf\u0149\u01f0\u0390\u03b0\u0587\u1e96-\u1e9a\u1f50-\u1fff\ufb00-\ufb17]/g;

/** Upper case without a change of length, so that positions stay the same. Targets may lower a secret, as in header names. */
export function fold(text: string): string {
  const upper = text.toUpperCase();
  return upper.length === text.length ? upper : text.replace(EXPANDING, '\0').toUpperCase();
}

function typeLengthOf(secret: string): number {
  const type = TYPE_PREFIX.exec(secret)?.[0] ?? '';
  return secret.length - type.length >= MIN_RANDOM_LENGTH ? type.length : 0;
}
