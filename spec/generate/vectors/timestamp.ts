import type { VectorDefinition } from './definition.ts';

/** Timestamps inside and outside the tolerance, and at its limits. */
export const toleranceVectors: readonly VectorDefinition[] = [
  ...[-300, -299, -1, 1, 299, 300].map((offset): VectorDefinition => ({
    id: `timestamp-${distance(offset)}`,
    comment: `Signed ${words(offset)}, within the tolerance.`,
    flags: Math.abs(offset) === 300 ? ['ToleranceEdge'] : [],
    timestampOffset: offset,
  })),
  ...[-301, -86_400].map((offset): VectorDefinition => ({
    id: `timestamp-${distance(offset)}`,
    comment: `Signed ${words(offset)}. The signature is authentic, but the delivery can be a replay.`,
    flags: offset === -301 ? ['ToleranceEdge', 'NoTolerance'] : ['NoTolerance'],
    code: 'timestamp_too_old',
    timestampOffset: offset,
  })),
  ...[301, 86_400, 31_536_000].map((offset): VectorDefinition => ({
    id: `timestamp-${distance(offset)}`,
    comment: `Signed ${words(offset)}. The tolerance applies in both directions.`,
    flags: offset === 301 ? ['ToleranceEdge', 'OneSidedTolerance'] : ['OneSidedTolerance'],
    code: 'timestamp_too_new',
    timestampOffset: offset,
  })),
  {
    id: 'timestamp-zero',
    comment:
      'The timestamp is 0. This number is false in many languages and can be treated as absent.',
    flags: ['ZeroAsUnset', 'NoTolerance'],
    code: 'timestamp_too_old',
    timestamp: '0',
  },
  {
    id: 'timestamp-of-twelve-digits',
    comment: 'The timestamp is the largest valid one, about 30,000 years in the future.',
    flags: ['OneSidedTolerance', 'NumberOverflow'],
    code: 'timestamp_too_new',
    timestamp: '999999999999',
  },
  {
    id: 'timestamp-plus-32-bits',
    comment:
      'The timestamp is the current time plus 2^32, which is the current time again in 32 bits.',
    flags: ['NumberOverflow'],
    code: 'timestamp_too_new',
    timestamp: '{timestamp|plus-32-bits}',
  },
];

/** Spellings that lenient number parsers read as the current time. Each is signed as sent. */
export const spellingVectors: readonly VectorDefinition[] = [
  lenient('leading-plus', '+{timestamp}', 'a leading plus sign'),
  lenient('leading-zero', '0{timestamp}', 'a leading zero'),
  lenient('many-leading-zeros', '0000000000{timestamp}', 'ten leading zeros'),
  lenient('decimal-point-zero', '{timestamp}.0', 'a fraction of zero'),
  lenient('decimal-fraction', '{timestamp}.5', 'a fraction'),
  lenient('decimal-point', '{timestamp}.', 'a trailing decimal point'),
  lenient('exponent-zero', '{timestamp}e0', 'an exponent of zero'),
  lenient('exponent', '{timestamp|exponent}', 'scientific notation'),
  lenient('hexadecimal', '0x{timestamp|hex}', 'hexadecimal digits after 0x'),
  lenient('underscores', '{timestamp|grouped}', 'underscores between groups of digits'),
  lenient('arabic-indic-digits', '{timestamp|arabic-indic}', 'Arabic-Indic digits in UTF-8'),
  lenient('full-width-digits', '{timestamp|full-width}', 'full-width digits in UTF-8'),
  lenient('trailing-no-break-space', '{timestamp}\u00a0', 'a trailing no-break space (octet 0xa0)'),
  lenient(
    'plus-64-bits',
    '{timestamp|plus-64-bits}',
    '2^64 added, which wraps to the current time in 64 bits',
    'NumberOverflow',
  ),
  untransportable('leading-blank', ' {timestamp}', 'a leading blank'),
  untransportable('trailing-blank', '{timestamp} ', 'a trailing blank'),
  untransportable('trailing-tab', '{timestamp}\t', 'a trailing tab'),
  untransportable('leading-vertical-tab', '\v{timestamp}', 'a leading vertical tab'),
  untransportable(
    'trailing-line-feed',
    '{timestamp}\n',
    'a trailing line feed, which "$" in a pattern can ignore',
  ),
  untransportable('trailing-nul', '{timestamp}\u0000', 'a trailing NUL'),
];

/** Values that no parser should read as the current time. Each is signed as sent. */
export const notATimestampVectors: readonly VectorDefinition[] = [
  wrong('trailing-letters', '{timestamp}abc', 'has letters after the digits', ['TrailingJunk']),
  wrong('trailing-unit', '{timestamp}s', 'has a unit after the digits', ['TrailingJunk']),
  wrong('trailing-semicolon', '{timestamp};', 'has a semicolon after the digits', ['TrailingJunk']),
  wrong('trailing-words', '{timestamp} or so', 'has words after the digits', ['TrailingJunk']),
  wrong('bigint-literal', '{timestamp}n', 'is a big integer literal with an n', ['TrailingJunk']),
  wrong('quoted', '"{timestamp}"', 'has quotation marks around the digits', ['LenientNumber']),
  wrong('negative', '-{timestamp}', 'has a leading minus sign', ['LenientNumber']),
  wrong('negative-zero', '-0', 'is minus zero', ['LenientNumber', 'ZeroAsUnset']),
  wrong('milliseconds', '{timestamp}000', 'is in milliseconds', ['WrongUnit']),
  wrong('microseconds', '{timestamp}000000', 'is in microseconds', ['WrongUnit']),
  wrong('milliseconds-fraction', '{timestamp}.000', 'has three decimals', ['WrongUnit']),
  wrong('thirteen-digits', '9999999999999', 'has thirteen digits', ['NumberOverflow']),
  wrong('iso-date', '{timestamp|iso}', 'is the current time as an ISO 8601 date', ['DateText']),
  wrong('http-date', '{timestamp|http-date}', 'is the current time as an HTTP date', ['DateText']),
  wrong('infinity', 'Infinity', 'is the word Infinity', ['NotANumber']),
  wrong('nan', 'NaN', 'is the word NaN, whose comparisons are all false', ['NotANumber']),
  wrong('null', 'null', 'is the word null', ['NotANumber', 'ZeroAsUnset']),
];

function lenient(
  name: string,
  timestamp: string,
  feature: string,
  flag: 'LenientNumber' | 'NumberOverflow' = 'LenientNumber',
): VectorDefinition {
  return {
    id: `timestamp-${name}`,
    comment: `The timestamp has ${feature}. It is signed as sent.`,
    flags: [flag],
    basis: 'reading',
    code: 'timestamp_malformed',
    timestamp,
  };
}

function untransportable(name: string, timestamp: string, feature: string): VectorDefinition {
  return { ...lenient(name, timestamp, feature), overHttp: false };
}

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

function distance(offset: number): string {
  return `${Math.abs(offset)}-seconds-${offset < 0 ? 'ago' : 'ahead'}`;
}

function words(offset: number): string {
  return `${Math.abs(offset)} seconds ${offset < 0 ? 'ago' : 'in the future'}`;
}
