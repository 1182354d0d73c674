import type { VectorDefinition } from './definition.ts';

const JUNK = {
  colon: ':',
  slash: '/',
  backslash: '\\',
  bar: '|',
  underscore: '_',
  hyphen: '-',
  star: '*',
  hash: '#',
  percent: '%',
  ampersand: '&',
  apostrophe: "'",
  parenthesis: ')',
  bracket: ']',
  brace: '}',
  exclamation: '!',
  question: '?',
  tilde: '~',
  caret: '^',
  equals: '=',
  'less-than': '<',
  dollar: '$',
  'at-sign': '@',
  'letter-e': 'e',
  'letter-l': 'L',
  'letter-z': 'Z',
} as const;

const WORDS = {
  true: 'true',
  false: 'false',
  undefined: 'undefined',
  now: 'now',
  none: 'None',
  'empty-list': '[]',
  'empty-object': '{}',
  'minus-infinity': '-Infinity',
  'infinity-small': 'infinity',
  'not-a-number-small': 'nan',
  'above-a-double': '1e309',
  'zero-by-zero': '0/0',
} as const;

const ZEROS = {
  'two-digits': '00',
  'twelve-digits': '000000000000',
  fraction: '0.0',
  exponent: '0e0',
  hexadecimal: '0x0',
  binary: '0b0',
  octal: '0o0',
  plus: '+0',
} as const;

/** Numbers of the form of a timestamp, far from any current time. */
const TOO_OLD = ['1', '12', '300', '86400', '999999999', '1000000000', '1500000000'] as const;
const TOO_NEW = ['2147483647', '2147483648', '4294967295', '4294967296', '253402300800'] as const;
const TOO_LONG = [
  '1000000000000',
  '8640000000000',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775807',
  '18446744073709551615',
  `1${'0'.repeat(400)}`,
] as const;

/** Further timestamps in another form. Each is signed as sent. */
export const moreTimestampVectors: readonly VectorDefinition[] = [
  ...Object.entries(JUNK).map(([name, junk]) =>
    wrong(`then-${name}`, `{timestamp}${junk}`, `has a trailing ${junk}`, ['TrailingJunk']),
  ),
  ...(['hash', 'dollar', 'tilde', 'apostrophe', 'equals', 'less-than'] as const).map((name) =>
    wrong(`after-${name}`, `${JUNK[name]}{timestamp}`, `has a leading ${JUNK[name]}`, [
      'LenientNumber',
    ]),
  ),
  ...Object.entries(WORDS).map(([name, word]) =>
    wrong(`word-${name}`, word, `is ${word}`, ['NotANumber']),
  ),
  ...Object.entries(ZEROS).map(([name, zero]) =>
    wrong(`zero-${name}`, zero, `is ${zero}, a spelling of zero`, ['ZeroAsUnset', 'LenientNumber']),
  ),
  ...TOO_LONG.map((timestamp) =>
    wrong(
      `of-${timestamp.length}-digits-${timestamp.slice(0, 2)}-${timestamp.slice(-4)}`,
      timestamp,
      `has ${timestamp.length} digits`,
      ['NumberOverflow'],
    ),
  ),
];

/** Further well-formed timestamps, most of them outside the tolerance. */
export const distantVectors: readonly VectorDefinition[] = [
  ...TOO_OLD.map((timestamp) => outside(timestamp, 'timestamp_too_old', 'NoTolerance', 'long ago')),
  ...TOO_NEW.map((timestamp) =>
    outside(timestamp, 'timestamp_too_new', 'OneSidedTolerance', 'in the far future'),
  ),
  ...[-302, -320, -600, -3600, -7200, -604_800, -31_536_000].map((offset) =>
    distant(offset, 'timestamp_too_old', 'NoTolerance'),
  ),
  ...[302, 320, 600, 3600, 7200, 604_800].map((offset) =>
    distant(offset, 'timestamp_too_new', 'OneSidedTolerance'),
  ),
  ...[-240, -60, 60, 240].map((offset): VectorDefinition => ({
    id: `timestamp-within-${Math.abs(offset)}-${offset < 0 ? 'ago' : 'ahead'}`,
    comment: `Signed ${Math.abs(offset)} seconds ${offset < 0 ? 'ago' : 'in the future'}, within the tolerance.`,
    flags: ['ToleranceEdge'],
    timestampOffset: offset,
  })),
];

function wrong(
  name: string,
  timestamp: string,
  fact: string,
  flags: readonly string[],
): VectorDefinition {
  return {
    id: `timestamp-${name}`,
    comment: `The timestamp ${fact}. It is signed as sent.`,
    flags,
    code: 'timestamp_malformed',
    timestamp,
  };
}

function outside(timestamp: string, code: string, flag: string, when: string): VectorDefinition {
  return {
    id: `timestamp-is-${timestamp}`,
    comment: `The timestamp is ${timestamp}, ${when}. The signature is authentic.`,
    flags: [flag],
    code,
    timestamp,
  };
}

function distant(offset: number, code: string, flag: string): VectorDefinition {
  const seconds = Math.abs(offset);
  const side = offset < 0 ? 'ago' : 'ahead';
  return {
    id: `timestamp-beyond-${seconds}-${side}`,
    comment: `Signed ${seconds} seconds ${offset < 0 ? 'ago' : 'in the future'}, outside the tolerance.`,
    flags: [flag],
    code,
    timestampOffset: offset,
  };
}
