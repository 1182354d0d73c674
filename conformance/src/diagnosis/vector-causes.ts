import type { SignatureVector } from '@hookproof/spec/vectors';

import type { Diagnosis } from './diagnosis.ts';

type Vectors = readonly SignatureVector[];

/** A cause, and what must have been accepted for it. */
type Rule = readonly [holds: (accepted: Vectors) => boolean, cause: string, fix: string];

const EXACT = 'Compare the prefix v1, exactly, and take the 64 hex digits after it.';
const ONE = 'Take the whole value of webhook-signature: v1, and 64 hex digits, nothing else.';
const RAW = 'Keep the raw bytes of the request, verify these, and decode them afterwards.';
const DIGITS = 'Accept decimal digits only (/^[0-9]+$/), before you parse the timestamp.';
const LENGTH = 'Accept exactly 64 hex digits after v1, before you compare.';

/** The first rule that holds. A rule excludes those after it, so that the more general mistakes come first. */
const RULES: readonly Rule[] = [
  [
    (accepted) => accepted.every(({ code }) => code === 'header_repeated'),
    'The values of a repeated header are joined, or one of them is taken.',
    'Refuse a repeated webhook header before the signature is computed.',
  ],
  [
    has('signature-all-zero'),
    'The result of the comparison is not used.',
    'Respond with a 4xx when the digests differ.',
  ],
  [
    has('signature-empty-secret'),
    'A missing secret is taken for an empty one.',
    'Refuse to start without a secret, and verify with that alone.',
  ],
  [
    has('signature-secret-with-newline'),
    'Blanks around the secret are removed or added.',
    'Use the bytes of the secret as they are.',
  ],
  [
    has('signature-other-secret'),
    'A secret of another endpoint is accepted.',
    'Verify with the secrets of this endpoint alone.',
  ],
  [
    flag('PartialComparison'),
    'Only a part of the digest is compared.',
    'Compare all 32 bytes in constant time.',
  ],
  [
    has('body-bit-flipped', 'signature-other-body'),
    'The body is not a part of the text that is verified.',
    'Verify <webhook-id>.<webhook-timestamp>.<raw body>.',
  ],
  [
    has('body-reserialised', 'body-key-order', 'body-unescaped', 'body-number-respelled'),
    'The body is parsed and serialized before it is verified, so that some changes of its bytes are lost.',
    'Read the raw body before a JSON parser does (express.raw, request.text()), verify it, and parse it afterwards.',
  ],
  [
    flag('TextForBytes'),
    'The body is decoded to text before it is verified, so that octets that are not UTF-8 become the same character.',
    RAW,
  ],
  [
    flag('ByteOrderMark'),
    'The body is decoded to text before it is verified, by a decoder that removes a byte order mark.',
    RAW,
  ],
  [flag('EarlyEnd'), 'The body is verified up to its first NUL only.', RAW],
  [has('body-cleared'), 'An empty body is not verified.', 'Verify every body, an empty one too.'],
  [flag('LargeBody'), 'Only the beginning of a large body is verified.', RAW],
  [
    has('body-lf-to-crlf', 'body-crlf-to-lf'),
    'Line breaks of the body are changed before it is verified.',
    RAW,
  ],
  [flag('TrimmedBody'), 'Blanks around the body are removed before it is verified.', RAW],
  [
    all('signature-version-capital'),
    'The prefix is compared without regard to case, as with the flag i of a regular expression.',
    EXACT,
  ],
  [flag('WrongPrefix'), 'The version before the digest is not checked.', EXACT],
  [
    flag('SignatureList'),
    'webhook-signature is read as a list in which one valid entry is enough.',
    ONE,
  ],
  [flag('OtherScheme'), 'The signature of another webhook scheme is accepted.', ONE],
  [flag('BlankInSignature'), 'Blanks in webhook-signature are ignored.', ONE],
  [
    flag('NotHex'),
    'The hex decoder stops at a character that is not a hex digit, or skips it.',
    LENGTH,
  ],
  [flag('ShortDigest'), 'Only as many digits are compared as the header has.', LENGTH],
  [flag('LongDigest'), 'What follows the 64th digit is ignored.', LENGTH],
  [
    (accepted) => flag('NotANumber')(accepted) || has('dot-moved-from-body')(accepted),
    'The timestamp is parsed to NaN, and a comparison with NaN is always false.',
    DIGITS,
  ],
  [
    (accepted) => flag('TrailingJunk')(accepted) || has('timestamp-comma-list')(accepted),
    'The timestamp is parsed up to its first character that is not a digit, as parseInt does.',
    DIGITS,
  ],
  [flag('DateText'), 'The timestamp is parsed as a date.', DIGITS],
  [flag('WrongUnit'), 'A timestamp in another unit than seconds is accepted.', DIGITS],
  [flag('ZeroAsUnset'), 'A timestamp of 0 is taken for a missing one.', DIGITS],
  [flag('NumberOverflow'), 'A timestamp that is too large wraps or is rounded.', DIGITS],
  [
    flag('LenientNumber'),
    'The timestamp is parsed with a function that takes signs, blanks, fractions or exponents.',
    DIGITS,
  ],
];

/** Why a receiver accepted these vectors, which it should have refused; null when they do not show it. */
export function causeOfAccepted(accepted: Vectors): Diagnosis | null {
  const rule = RULES.find(([holds]) => holds(accepted));
  return rule === undefined ? null : { cause: rule[1], fix: rule[2] };
}

/** One of these was accepted. */
function has(...ids: readonly string[]): Rule[0] {
  return (accepted) => accepted.some(({ id }) => ids.includes(id));
}

/** Nothing else was accepted. */
function all(id: string): Rule[0] {
  return (accepted) => accepted.every((vector) => vector.id === id);
}

function flag(name: string): Rule[0] {
  return (accepted) => accepted.some(({ flags }) => flags.includes(name));
}
