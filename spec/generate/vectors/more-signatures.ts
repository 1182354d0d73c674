import type { VectorDefinition } from './definition.ts';

/** Characters that are not hex digits, with the end of an id. */
const NOT_HEX = {
  'capital-g': 'G',
  'small-o': 'o',
  'small-l': 'l',
  'small-x': 'x',
  hyphen: '-',
  underscore: '_',
  dot: '.',
  colon: ':',
  slash: '/',
  plus: '+',
  equals: '=',
  'at-sign': '@',
  backquote: '`',
  percent: '%',
  star: '*',
  quote: '"',
} as const;

/** Prefixes that replace `v1,`. */
const PREFIXES = {
  'v1-colon': 'v1:',
  'v1-semicolon': 'v1;',
  'v1-dot': 'v1.',
  'v1-hyphen': 'v1-',
  'v1-underscore': 'v1_',
  'v1-slash': 'v1/',
  'v1-bar': 'v1|',
  'v1-blank': 'v1 ',
  'v01-comma': 'v01,',
  'v1-0-comma': 'v1.0,',
  'v-comma': 'v,',
  'comma-alone': ',',
  'one-comma': '1,',
  'letter-l': 'vl,',
  'w1-comma': 'w1,',
  'v3-comma': 'v3,',
  'v11-comma': 'v11,',
  'two-commas': 'v1,,',
  'comma-first': ',v1,',
  'blank-first': 'x v1,',
} as const;

const SCHEMES = {
  sha1: 'sha1=',
  sha512: 'sha512=',
  hmac: 'hmac-sha256=',
  hex: 'hex:',
  signature: 'signature=',
  's-of-slack': 'v0=',
  bearer: 'Bearer ',
} as const;

const SEPARATORS = {
  semicolon: ';',
  bar: '|',
  ampersand: '&',
  slash: '/',
  tab: '\t',
  'comma-blank': ', ',
  'two-blanks': '  ',
} as const;

/** Further spellings of the signature, each wrong in one character or place. */
export const moreSignatureVectors: readonly VectorDefinition[] = [
  ...entries(NOT_HEX).map(([name, character]) =>
    malformed(
      `last-digit-${name}`,
      `v1,{digest|drop-last}${character}`,
      `The last digit is ${character}, which is not a hex digit.`,
      'NotHex',
    ),
  ),
  ...entries(NOT_HEX).map(([name, character]) =>
    malformed(
      `first-digit-${name}`,
      `v1,${character}{digest|drop-last}`,
      `The first digit is ${character}, which is not a hex digit. A decoder that stops there reads nothing.`,
      'NotHex',
    ),
  ),
  ...[1, 2, 8, 16, 31, 40, 56, 62].map((digits) =>
    malformed(
      `zeros-${digits}`,
      `v1,${'0'.repeat(digits)}`,
      `The digest has ${digits} digits, all zero.`,
      'ShortDigest',
    ),
  ),
  ...[68, 96, 128, 512].map((digits) =>
    malformed(
      `zeros-${digits}`,
      `v1,{digest}${'0'.repeat(digits - 64)}`,
      `The correct digest is followed by zeros up to ${digits} digits.`,
      'LongDigest',
    ),
  ),
  ...entries(PREFIXES).map(([name, prefix]) =>
    malformed(
      `prefix-${name}`,
      `${prefix}{digest}`,
      `The prefix is ${JSON.stringify(prefix)}.`,
      'WrongPrefix',
    ),
  ),
  ...entries(SCHEMES).map(([name, prefix]) =>
    malformed(
      `scheme-${name}`,
      `${prefix}{digest}`,
      `The prefix is ${JSON.stringify(prefix)}, as in another scheme.`,
      'OtherScheme',
    ),
  ),
  ...entries(SEPARATORS).map(([name, separator]) =>
    malformed(
      `list-${name}`,
      `v1,{digest|flip-first}${separator}v1,{digest}`,
      'The header contains two signatures with another separator. The last is correct.',
      'SignatureList',
    ),
  ),
  malformed(
    'list-of-three',
    'v1,{digest|flip-first} v1,{digest|flip-last} v1,{digest}',
    'The header contains three signatures. The last is correct.',
    'SignatureList',
  ),
  malformed(
    'list-empty-first',
    ', v1,{digest}',
    'The header begins with an empty entry.',
    'SignatureList',
  ),
  malformed('quoted', '"v1,{digest}"', 'The value is in quotation marks.', 'OtherScheme'),
  malformed('digest-quoted', 'v1,"{digest}"', 'The digest is in quotation marks.', 'NotHex'),
];

function malformed(
  name: string,
  signature: string,
  comment: string,
  flag: string,
): VectorDefinition {
  return {
    id: `signature-${name}`,
    comment,
    flags: [flag],
    code: 'signature_malformed',
    headers: { signature },
  };
}

function entries(record: Readonly<Record<string, string>>): readonly [string, string][] {
  return Object.entries(record);
}
