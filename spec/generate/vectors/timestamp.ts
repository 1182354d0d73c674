import type { VectorDefinition } from './definition.ts';

/** The tolerance, from both sides and at its edges. */
export const toleranceVectors: readonly VectorDefinition[] = [
  ...[-300, -299, -1, 1, 299, 300].map((offset): VectorDefinition => ({
    id: `timestamp-${distance(offset)}`,
    comment: `Signed ${words(offset)}, which the tolerance allows.`,
    flags: Math.abs(offset) === 300 ? ['ToleranceEdge'] : [],
    timestampOffset: offset,
  })),
  ...[-301, -86_400].map((offset): VectorDefinition => ({
    id: `timestamp-${distance(offset)}`,
    comment: `Signed ${words(offset)}: authentic, but a replay for all one can tell.`,
    flags: offset === -301 ? ['ToleranceEdge', 'NoTolerance'] : ['NoTolerance'],
    code: 'timestamp_too_old',
    timestampOffset: offset,
  })),
  ...[301, 86_400, 31_536_000].map((offset): VectorDefinition => ({
    id: `timestamp-${distance(offset)}`,
    comment: `Signed ${words(offset)}: the tolerance holds in both directions.`,
    flags: offset === 301 ? ['ToleranceEdge', 'OneSidedTolerance'] : ['OneSidedTolerance'],
    code: 'timestamp_too_new',
    timestampOffset: offset,
  })),
  {
    id: 'timestamp-zero',
    comment:
      'The timestamp is 0: a number that is false in many languages and may read as "not given".',
    flags: ['ZeroAsUnset', 'NoTolerance'],
    code: 'timestamp_too_old',
    timestamp: '0',
  },
  {
    id: 'timestamp-of-twelve-digits',
    comment: 'The largest number of the form, some thirty thousand years ahead.',
    flags: ['OneSidedTolerance', 'NumberOverflow'],
    code: 'timestamp_too_new',
    timestamp: '999999999999',
  },
  {
    id: 'timestamp-plus-32-bits',
    comment: 'The present plus 2^32: the present again for whoever keeps 32 bits.',
    flags: ['NumberOverflow'],
    code: 'timestamp_too_new',
    timestamp: '{timestamp|plus-32-bits}',
  },
];

/** Spellings that lax number parsers read as the present; each is signed as it is sent. */
export const spellingVectors: readonly VectorDefinition[] = [
  lenient('leading-plus', '+{timestamp}', 'a plus sign in front'),
  lenient('leading-zero', '0{timestamp}', 'a zero in front'),
  lenient('many-leading-zeros', '0000000000{timestamp}', 'ten zeros in front'),
  lenient('decimal-point-zero', '{timestamp}.0', 'a fraction of zero'),
  lenient('decimal-fraction', '{timestamp}.5', 'a fraction'),
  lenient('decimal-point', '{timestamp}.', 'a point at the end'),
  lenient('exponent-zero', '{timestamp}e0', 'an exponent of zero'),
  lenient('exponent', '{timestamp|exponent}', 'scientific notation'),
  lenient('hexadecimal', '0x{timestamp|hex}', 'hexadecimal digits after 0x'),
  lenient('underscores', '{timestamp|grouped}', 'underscores between groups of digits'),
  lenient('arabic-indic-digits', '{timestamp|arabic-indic}', 'Arabic-Indic digits in UTF-8'),
  lenient('full-width-digits', '{timestamp|full-width}', 'full-width digits in UTF-8'),
  lenient(
    'trailing-no-break-space',
    '{timestamp}\u00a0',
    'a no-break space (octet 0xa0) at the end',
  ),
  lenient(
    'plus-64-bits',
    '{timestamp|plus-64-bits}',
    '2^64 added, which wraps in 64 bits',
    'NumberOverflow',
  ),
  untransportable('leading-blank', ' {timestamp}', 'a blank in front'),
  untransportable('trailing-blank', '{timestamp} ', 'a blank at the end'),
  untransportable('trailing-tab', '{timestamp}\t', 'a tab at the end'),
  untransportable('leading-vertical-tab', '\v{timestamp}', 'a vertical tab in front'),
  untransportable(
    'trailing-line-feed',
    '{timestamp}\n',
    'a line feed at the end, which "$" in a pattern may ignore',
  ),
  untransportable('trailing-nul', '{timestamp}\u0000', 'a NUL at the end'),
];

/** Values that are no number of seconds near the present however they are read. */
export const notATimestampVectors: readonly VectorDefinition[] = [
  wrong('trailing-letters', '{timestamp}abc', 'letters after the digits', ['TrailingJunk']),
  wrong('trailing-unit', '{timestamp}s', 'a unit after the digits', ['TrailingJunk']),
  wrong('trailing-semicolon', '{timestamp};', 'a semicolon after the digits', ['TrailingJunk']),
  wrong('trailing-words', '{timestamp} or so', 'words after the digits', ['TrailingJunk']),
  wrong('bigint-literal', '{timestamp}n', 'the n of a big integer literal', ['TrailingJunk']),
  wrong('quoted', '"{timestamp}"', 'quotation marks around the digits', ['LenientNumber']),
  wrong('negative', '-{timestamp}', 'a minus sign in front', ['LenientNumber']),
  wrong('negative-zero', '-0', 'minus zero', ['LenientNumber', 'ZeroAsUnset']),
  wrong('milliseconds', '{timestamp}000', 'milliseconds', ['WrongUnit']),
  wrong('microseconds', '{timestamp}000000', 'microseconds', ['WrongUnit']),
  wrong('milliseconds-fraction', '{timestamp}.000', 'seconds with three decimals', ['WrongUnit']),
  wrong('thirteen-digits', '9999999999999', 'thirteen digits', ['NumberOverflow']),
  wrong('iso-date', '{timestamp|iso}', 'an ISO 8601 date of the present', ['DateText']),
  wrong('http-date', '{timestamp|http-date}', 'an HTTP date of the present', ['DateText']),
  wrong('infinity', 'Infinity', 'the word Infinity', ['NotANumber']),
  wrong('nan', 'NaN', 'the word NaN, which compares false with everything', ['NotANumber']),
  wrong('null', 'null', 'the word null', ['NotANumber', 'ZeroAsUnset']),
];

function lenient(
  name: string,
  timestamp: string,
  has: string,
  flag: 'LenientNumber' | 'NumberOverflow' = 'LenientNumber',
): VectorDefinition {
  return {
    id: `timestamp-${name}`,
    comment: `The timestamp has ${has}; signed as sent.`,
    flags: [flag],
    basis: 'reading',
    code: 'timestamp_malformed',
    timestamp,
  };
}

function untransportable(name: string, timestamp: string, has: string): VectorDefinition {
  return { ...lenient(name, timestamp, has), overHttp: false };
}

function wrong(
  name: string,
  timestamp: string,
  is: string,
  flags: readonly string[],
): VectorDefinition {
  return {
    id: `timestamp-${name}`,
    comment: `The timestamp is or has ${is}; signed as sent.`,
    flags,
    code: 'timestamp_malformed',
    timestamp,
  };
}

function distance(offset: number): string {
  return `${Math.abs(offset)}-seconds-${offset < 0 ? 'ago' : 'ahead'}`;
}

function words(offset: number): string {
  return `${Math.abs(offset)} seconds ${offset < 0 ? 'ago' : 'in the future'}`;
}
