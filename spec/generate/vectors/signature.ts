import type { VectorDefinition } from './definition.ts';
import { eventBody } from './event-body.ts';

/** Signature headers that do not have the form `v1,` and 64 hex digits. */
export const signatureFormVectors: readonly VectorDefinition[] = [
  malformed('without-prefix', '{digest}', 'The digest stands alone.', 'WrongPrefix'),
  malformed('version-v0', 'v0,{digest}', 'The version is v0.', 'WrongPrefix'),
  malformed('version-v2', 'v2,{digest}', 'The version is v2.', 'WrongPrefix'),
  malformed(
    'version-v1a',
    'v1a,{digest}',
    'The version is v1a, an asymmetric scheme elsewhere.',
    'WrongPrefix',
  ),
  malformed(
    'version-v10',
    'v10,{digest}',
    'The version is v10, which begins like v1.',
    'WrongPrefix',
  ),
  malformed('version-capital', 'V1,{digest}', 'The version is written V1.', 'WrongPrefix'),
  malformed('prefix-without-comma', 'v1{digest}', 'The comma after v1 is missing.', 'WrongPrefix'),
  malformed(
    'prefix-with-equals',
    'v1={digest}',
    'An equals sign stands for the comma.',
    'OtherScheme',
  ),
  malformed(
    'sha256-equals',
    'sha256={digest}',
    'The prefix is the one of another scheme.',
    'OtherScheme',
  ),
  malformed(
    'timestamp-inside',
    't={timestamp},v1={digest}',
    'The header of another scheme, timestamp inside.',
    'OtherScheme',
  ),
  malformed('prefix-only', 'v1,', 'The digest is empty.', 'ShortDigest'),
  malformed('version-only', 'v1', 'Only the version is there.', 'ShortDigest'),
  malformed('prefix-twice', 'v1,v1,{digest}', 'The prefix comes twice.', 'WrongPrefix'),
  malformed(
    'blank-after-prefix',
    'v1, {digest}',
    'A blank stands between prefix and digest.',
    'BlankInSignature',
  ),
  malformed(
    'blank-before-comma',
    'v1 ,{digest}',
    'A blank stands before the comma.',
    'BlankInSignature',
  ),
  malformed(
    'blank-inside',
    'v1,{digest|first-half} {digest|second-half}',
    'A blank splits the digest.',
    'BlankInSignature',
  ),
  malformed(
    'tab-inside',
    'v1,{digest|first-half}\t{digest|second-half}',
    'A tab splits the digest.',
    'BlankInSignature',
  ),
  {
    ...malformed(
      'trailing-blank',
      'v1,{digest} ',
      'A blank follows; HTTP would strip it on the way.',
      'BlankInSignature',
    ),
    basis: 'reading',
    overHttp: false,
  },
  {
    ...malformed(
      'trailing-line-feed',
      'v1,{digest}\n',
      'A line feed follows, which "$" in a pattern may ignore.',
      'BlankInSignature',
    ),
    basis: 'reading',
    overHttp: false,
  },
  malformed('trailing-comma', 'v1,{digest},', 'A comma follows.', 'SignatureList'),
  malformed(
    'list-right-first',
    'v1,{digest} v1,{digest|flip-first}',
    'Two signatures in one header, the first is right.',
    'SignatureList',
  ),
  malformed(
    'list-right-last',
    'v1,{digest|flip-first} v1,{digest}',
    'Two signatures in one header, the last is right.',
    'SignatureList',
  ),
  malformed(
    'list-with-comma',
    'v1,{digest},v1,{digest}',
    'The same right signature twice, joined with a comma.',
    'SignatureList',
  ),
  malformed(
    'list-other-version',
    'v2,{digest} v1,{digest}',
    'Two versions in one header.',
    'SignatureList',
  ),
  malformed(
    'digest-of-63-digits',
    'v1,{digest|drop-last}',
    'The last digit is missing: an odd number of digits.',
    'ShortDigest',
  ),
  malformed(
    'digest-of-half-length',
    'v1,{digest|first-half}',
    'Only the first 16 bytes are there.',
    'ShortDigest',
  ),
  malformed(
    'digest-of-65-digits',
    'v1,{digest}0',
    'One digit too many: an odd number of digits.',
    'LongDigest',
  ),
  malformed('digest-of-66-digits', 'v1,{digest}00', 'One byte too many.', 'LongDigest'),
  malformed(
    'digest-twice',
    'v1,{digest}{digest}',
    'The digest is there twice, as long as a SHA-512.',
    'LongDigest',
  ),
  malformed(
    'digest-not-hex-at-the-end',
    'v1,{digest|drop-last}g',
    'The last digit is a g.',
    'NotHex',
  ),
  malformed(
    'digest-right-then-not-hex',
    'v1,{digest}zz',
    'Two letters that are not hex follow the right digest.',
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
    'The digest is written in base64.',
    'OtherScheme',
  ),
  malformed(
    'digest-base64url',
    'v1,{digest|base64url}',
    'The digest is written in base64 for URLs.',
    'OtherScheme',
  ),
  {
    id: 'signature-digest-upper-case',
    comment: 'The hex digits are upper case. The contract names no case.',
    flags: ['OpenPoint', 'HexCase'],
    result: 'freedom',
    headers: { signature: 'v1,{digest|upper}' },
  },
  {
    id: 'signature-digest-mixed-case',
    comment:
      'The first half of the digits is upper case, the second lower case. The contract names no case.',
    flags: ['OpenPoint', 'HexCase'],
    result: 'freedom',
    headers: { signature: 'v1,{digest|mixed}' },
  },
];

/** Right in form, made of something else. */
export const mismatchVectors: readonly VectorDefinition[] = [
  mismatch('first-digit-flipped', 'One bit of the first digit differs.', ['PartialComparison'], {
    headers: { signature: 'v1,{digest|flip-first}' },
  }),
  mismatch('last-digit-flipped', 'One bit of the last digit differs.', ['PartialComparison'], {
    headers: { signature: 'v1,{digest|flip-last}' },
  }),
  mismatch('second-half-zero', 'The first half is right, zeros follow.', ['PartialComparison'], {
    headers: { signature: `v1,{digest|first-half}${'0'.repeat(32)}` },
  }),
  mismatch('first-half-zero', 'Zeros, then the right second half.', ['PartialComparison'], {
    headers: { signature: `v1,${'0'.repeat(32)}{digest|second-half}` },
  }),
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

/** Keys that are not the endpoint's, and two ways of reading a secret that the contract leaves open. */
export const keyVectors: readonly VectorDefinition[] = [
  mismatch('other-secret', 'Signed with the secret of another endpoint.', ['WrongKey'], {
    key: 'other',
  }),
  mismatch(
    'secret-with-newline',
    'Signed with the secret and a line feed after it.',
    ['WrongKey'],
    {
      key: 'utf8-and-newline',
    },
  ),
  mismatch(
    'empty-secret',
    'Signed with an empty key, as anybody can.',
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
    comment: 'Signed with what the secret after its prefix decodes to as base64.',
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
