import type { SignatureVector } from '@hookproof/spec/vectors';

import type { Requirements } from '../../check-kit/check.ts';

/** Vectors that one check judges. */
export interface VectorFamily {
  readonly name: string;
  readonly requirements: Requirements;
  readonly title: string;
  /** How many vectors with the same flag a run sends. Default 3. */
  readonly vectorsOfAFlag?: number;
  includes(vector: SignatureVector, group: string): boolean;
}

const MISMATCHES: Readonly<Record<string, string>> = {
  'signature-other-id': 'id-altered',
  'signature-other-timestamp': 'timestamp-altered',
  'signature-other-body': 'body-tampered',
};
const LENGTH_FLAGS = new Set(['ShortDigest', 'LongDigest']);

/** The vectors of each check. Every vector that a status can judge is in exactly one. */
export const VECTOR_FAMILIES: readonly VectorFamily[] = [
  {
    name: 'valid',
    requirements: ['signature.message.verified', 'receiver.valid.acknowledged'],
    title: 'accepts valid deliveries with a 2xx',
    includes: ({ result }, group) => result === 'valid' && group !== 'body-accepted',
  },
  {
    name: 'raw-bytes',
    requirements: ['signature.raw-bytes'],
    title: 'accepts valid deliveries with a 2xx, however their JSON is written',
    includes: ({ result }, group) => result === 'valid' && group === 'body-accepted',
  },
  refusal(
    'header-missing',
    ['signature.header.missing'],
    'a missing header',
    ({ code }) => code === 'header_missing',
    4,
  ),
  refusal(
    'header-malformed',
    ['signature.header.malformed'],
    'a malformed id or signature',
    (vector) => isMalformedHeader(vector) && vector.basis === 'contract' && !isDigestForm(vector),
    6,
  ),
  refusal(
    'header-strict',
    ['signature.header.strict'],
    'a repeated webhook header',
    (vector) => isMalformedHeader(vector) && vector.basis !== 'contract',
  ),
  refusal(
    'timestamp-malformed',
    ['signature.timestamp.malformed'],
    'a timestamp that is not a number of seconds',
    (vector) => vector.code === 'timestamp_malformed' && vector.basis === 'contract',
  ),
  refusal(
    'timestamp-strict',
    ['signature.timestamp.strict'],
    'a timestamp that only lenient parsers accept',
    (vector) => vector.code === 'timestamp_malformed' && vector.basis !== 'contract',
  ),
  refusal(
    'digest-length',
    ['signature.digest.length'],
    'a digest that is too short or too long',
    (vector) => isDigestForm(vector) && vector.flags.some((flag) => LENGTH_FLAGS.has(flag)),
  ),
  refusal(
    'digest-not-hex',
    ['signature.digest.not-hex'],
    'a digest that is not hex',
    (vector) => isDigestForm(vector) && vector.flags.includes('NotHex'),
  ),
  refusal(
    'id-altered',
    ['signature.message.other-id'],
    'a digest of another id',
    (vector) => MISMATCHES[vector.id] === 'id-altered',
  ),
  refusal(
    'timestamp-altered',
    ['signature.message.other-timestamp'],
    'a digest of another timestamp',
    (vector) => MISMATCHES[vector.id] === 'timestamp-altered',
  ),
  refusal(
    'body-tampered',
    ['signature.message.other-body', 'signature.raw-bytes'],
    'a body changed after signing',
    (vector, group) =>
      MISMATCHES[vector.id] === 'body-tampered' || (isMismatch(vector) && group === 'body-changed'),
  ),
  refusal(
    'digest-wrong',
    ['signature.message.other-secret'],
    'a wrong digest',
    (vector, group) =>
      isMismatch(vector) && MISMATCHES[vector.id] === undefined && group !== 'body-changed',
    4,
  ),
  refusal(
    'timestamp-stale',
    ['signature.timestamp.too-old'],
    'a timestamp far in the past',
    (vector) => vector.code === 'timestamp_too_old',
  ),
  refusal(
    'timestamp-future',
    ['signature.timestamp.too-new'],
    'a timestamp far in the future',
    (vector) => vector.code === 'timestamp_too_new',
  ),
];

function refusal(
  name: string,
  requirements: Requirements,
  what: string,
  includes: VectorFamily['includes'],
  vectorsOfAFlag?: number,
): VectorFamily {
  return {
    ...(vectorsOfAFlag === undefined ? {} : { vectorsOfAFlag }),
    name,
    requirements,
    title: `refuses ${what}`,
    includes: (vector, group) => vector.result === 'invalid' && includes(vector, group),
  };
}

function isMalformedHeader({ code }: SignatureVector): boolean {
  return code === 'id_malformed' || code === 'signature_malformed' || code === 'header_repeated';
}

/** The documented prefix, followed by a malformed digest. */
function isDigestForm({ code, flags }: SignatureVector): boolean {
  return (
    code === 'signature_malformed' &&
    flags.some((flag) => LENGTH_FLAGS.has(flag) || flag === 'NotHex')
  );
}

function isMismatch({ code }: SignatureVector): boolean {
  return code === 'signature_mismatch';
}
