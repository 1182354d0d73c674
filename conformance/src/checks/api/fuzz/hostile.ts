import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** Longer URLs get a response from the HTTP layer, which the contract does not describe. */
const MAX_TEXT_CHARACTERS = 400;

const KNOWN_TRAPS = [
  '',
  ' ',
  '\u0000',
  '\r\n',
  '%00',
  '%',
  '../../etc/passwd',
  '..',
  '/',
  '\\',
  '"',
  "' OR '1'='1",
  '{"$ne":null}',
  '<script>alert(1)</script>',
  '${7*7}',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e400',
  '9007199254740993',
  '\uFEFF',
  '\u202Eabc',
  'İıß',
  '👩‍👩‍👧‍👦',
] as const;

/** Texts that careless code stumbles over. */
export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...KNOWN_TRAPS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.nat(MAX_TEXT_CHARACTERS).map((length) => 'a'.repeat(length)),
);

/** JSON values of every kind, with hostile names and texts. */
export const hostileJson: Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, [], {}),
  fc.array(fc.constantFrom(null, 1, 'text', {}), { maxLength: 5 }),
  fc.dictionary(hostileText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
  fc.integer({ min: 1, max: 200 }).map(nested),
);

/** Bodies that are not the JSON that their media type promises. */
export const malformedBody: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '}',
    '[',
    '"',
    'null',
    '[]',
    '1',
    '{"a":}',
    '\uFEFF{}',
    '{"a":1}{"a":1}',
  ),
  fc.json().map((text) => text.slice(0, -1)),
  hostileText,
);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}
