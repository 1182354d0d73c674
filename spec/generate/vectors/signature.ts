import type { VectorDefinition } from './definition.ts';
import { eventBody } from './event-body.ts';

/** Signature headers other than `v1,` and 64 hex digits. */
export const signatureFormVectors: readonly VectorDefinition[] = [
  malformed('without-prefix', '{digest}', 'The prefix is missing.', 'WrongPrefix'),
  malformed('version-v0', 'v0,{digest}', 'The version is v0.', 'WrongPrefix'),
  malformed('version-v2', 'v2,{digest}', 'The version is v2.', 'WrongPrefix'),
  malformed(
    'version-v1a',
    'v1a,{digest}',
    'The version is v1a, the asymmetric scheme of another standard.',
    'WrongPrefix',
  ),
  malformed(
    'version-v10',
    'v10,{digest}',
    'The version is v10, which begins with v1.',
    'WrongPrefix',
  ),
  malformed('version-capital', 'V1,{digest}', 'The version is V1 in upper case.', 'WrongPrefix'),
  malformed('prefix-without-comma', 'v1{digest}', 'The comma after v1 is missing.', 'WrongPrefix'),
  malformed(
    'prefix-with-equals',
    'v1={digest}',
    'The prefix has an equals sign instead of the comma.',
    'OtherScheme',
  ),
  malformed(
    'sha256-equals',
    'sha256={digest}',
    'The prefix is that of another scheme.',
    'OtherScheme',
  ),
  malformed(
    'timestamp-inside',
    't={timestamp},v1={digest}',
    'The header is that of another scheme, with the timestamp inside.',
    'OtherScheme',
  ),
  malformed('prefix-only', 'v1,', 'The digest is empty.', 'ShortDigest'),
  malformed('version-only', 'v1', 'The value is only the version.', 'ShortDigest'),
  malformed('prefix-twice', 'v1,v1,{digest}', 'The prefix is present twice.', 'WrongPrefix'),
  malformed(
    'blank-after-prefix',
    'v1, {digest}',
    'There is a blank between prefix and digest.',
    'BlankInSignature',
  ),
  malformed(
    'blank-before-comma',
    'v1 ,{digest}',
    'There is a blank before the comma.',
    'BlankInSignature',
  ),
  malformed(
    'blank-inside',
    'v1,{digest|first-half} {digest|second-half}',
    'There is a blank in the middle of the digest.',
    'BlankInSignature',
  ),
  malformed(
    'tab-inside',
    'v1,{digest|first-half}\t{digest|second-half}',
    'There is a tab in the middle of the digest.',
    'BlankInSignature',
  ),
  {
    ...malformed(
      'trailing-blank',
      'v1,{digest} ',
      'The value ends with a blank. HTTP removes the blank in transit.',
      'BlankInSignature',
    ),
    basis: 'reading',
    overHttp: false,
  },
  {
    ...malformed(
      'trailing-line-feed',
      'v1,{digest}\n',
      'The value ends with a line feed, which "$" in a pattern can ignore.',
      'BlankInSignature',
    ),
    basis: 'reading',
    overHttp: false,
  },
  malformed('trailing-comma', 'v1,{digest},', 'The value ends with a comma.', 'SignatureList'),
  malformed(
    'list-right-first',
    'v1,{digest} v1,{digest|flip-first}',
    'The header contains two signatures. The first is correct.',
    'SignatureList',
  ),
  malformed(
    'list-right-last',
    'v1,{digest|flip-first} v1,{digest}',
    'The header contains two signatures. The last is correct.',
    'SignatureList',
  ),
  malformed(
    'list-with-comma',
    'v1,{digest},v1,{digest}',
    'The header contains the correct signature twice, joined with a comma.',
    'SignatureList',
  ),
  malformed(
    'list-other-version',
    'v2,{digest} v1,{digest}',
    'The header contains two versions.',
    'SignatureList',
  ),
  malformed(
    'digest-of-63-digits',
    'v1,{digest|drop-last}',
    'The last digit is missing, so the number of digits is odd.',
    'ShortDigest',
  ),
  malformed(
    'digest-of-half-length',
    'v1,{digest|first-half}',
    'The digest is cut after 16 bytes.',
    'ShortDigest',
  ),
  malformed(
    'digest-of-65-digits',
    'v1,{digest}0',
    'The digest has one extra digit, so the number of digits is odd.',
    'LongDigest',
  ),
  malformed('digest-of-66-digits', 'v1,{digest}00', 'The digest has one extra byte.', 'LongDigest'),
  malformed(
    'digest-twice',
    'v1,{digest}{digest}',
    'The digest is repeated, so it is as long as a SHA-512 digest.',
    'LongDigest',
  ),
  malformed(
    'digest-not-hex-at-the-end',
    'v1,{digest|drop-last}g',
    'The last digit is a g, which is not a hex digit.',
    'NotHex',
  ),
  malformed(
    'digest-right-then-not-hex',
    'v1,{digest}zz',
    'The correct digest is followed by two letters that are not hex digits.',
    'NotHex',
  ),
  malformed('digest-not-hex', `v1,${'z'.repeat(64)}`, 'No character is a hex digit.', 'NotHex'),
  malformed(
    'digest-not-ascii',
    `v1,${'\u00e9'.repeat(64)}`,
    'Every octet is above 0x7f.',
    'NotHex',
  ),
  malformed('digest-with-0x', 'v1,0x{digest}', 'The digest begins with 0x.', 'NotHex'),
  malformed(
    'digest-base64',
    'v1,{digest|base64}',
    'The digest is encoded in Base64.',
    'OtherScheme',
  ),
  malformed(
    'digest-base64url',
    'v1,{digest|base64url}',
    'The digest is encoded in URL-safe Base64.',
    'OtherScheme',
  ),
  {
    id: 'signature-digest-upper-case',
    comment: 'The hex digits are in upper case. The contract does not specify the case.',
    flags: ['OpenPoint', 'HexCase'],
    result: 'freedom',
    headers: { signature: 'v1,{digest|upper}' },
  },
  {
    id: 'signature-digest-mixed-case',
    comment:
      'The first half of the digits is in upper case, the second in lower case. The contract does not specify the case.',
    flags: ['OpenPoint', 'HexCase'],
    result: 'freedom',
    headers: { signature: 'v1,{digest|mixed}' },
  },
];

/** Well-formed signatures of something else. */
export const mismatchVectors: readonly VectorDefinition[] = [
  mismatch('first-digit-flipped', 'One bit of the first digit differs.', ['PartialComparison'], {
    headers: { signature: 'v1,{digest|flip-first}' },
  }),
  mismatch('last-digit-flipped', 'One bit of the last digit differs.', ['PartialComparison'], {
    headers: { signature: 'v1,{digest|flip-last}' },
  }),
  mismatch(
    'second-half-zero',
    'The first half is correct. The second half is zeros.',
    ['PartialComparison'],
    {
      headers: { signature: `v1,{digest|first-half}${'0'.repeat(32)}` },
    },
  ),
  mismatch(
    'first-half-zero',
    'The first half is zeros. The second half is correct.',
    ['PartialComparison'],
    {
      headers: { signature: `v1,${'0'.repeat(32)}{digest|second-half}` },
    },
  ),
  mismatch('all-zero', 'Every digit is 0.', ['NoComparison'], {
    headers: { signature: `v1,${'0'.repeat(64)}` },
  }),
  mismatch('other-id', 'Signed for another id.', ['PartNotSigned'], {
    eventId: 'whev_other',
    headers: { id: 'whev_signature-other-id' },
    body: { bytes: eventBody('whev_signature-other-id') },
  }),
  mismatch(
    'other-timestamp',
    'Signed one second before the time in the header.',
    ['PartNotSigned'],
    {
      timestamp: '{timestamp|minus-one}',
      headers: { timestamp: '{timestamp}' },
    },
  ),
  mismatch('other-body', 'Signed for the event of another run.', ['PartNotSigned'], {
    signedBody: { bytes: eventBody('whev_signature-other-body', 'cron') },
  }),
];

/** Wrong keys, and two key derivations that the contract leaves open. */
export const keyVectors: readonly VectorDefinition[] = [
  mismatch('other-secret', 'Signed with the secret of another endpoint.', ['WrongKey'], {
    key: 'other',
  }),
  mismatch('secret-with-newline', 'Signed with the secret followed by a line feed.', ['WrongKey'], {
    key: 'utf8-and-newline',
  }),
  mismatch(
    'empty-secret',
    'Signed with an empty key, as an attacker can.',
    ['WrongKey', 'NoComparison'],
    {
      key: 'empty',
    },
  ),
  {
    id: 'signature-secret-without-prefix',
    comment: 'Signed with the bytes of the secret after its prefix whsec_.',
    flags: ['OpenPoint', 'KeyBytes'],
    result: 'freedom',
    code: 'signature_mismatch',
    key: 'utf8-without-prefix',
  },
  {
    id: 'signature-secret-decoded',
    comment: 'Signed with the part of the secret after its prefix, decoded from Base64.',
    flags: ['OpenPoint', 'KeyBytes'],
    result: 'freedom',
    code: 'signature_mismatch',
    key: 'base64-after-prefix',
  },
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

function mismatch(
  name: string,
  comment: string,
  flags: readonly string[],
  difference: Partial<VectorDefinition>,
): VectorDefinition {
  return { id: `signature-${name}`, comment, flags, code: 'signature_mismatch', ...difference };
}
