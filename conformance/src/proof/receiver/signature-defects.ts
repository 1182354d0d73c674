import type { Defect } from '../transformation.ts';
import { stepDefects } from './verifying.ts';
import { valuesOf } from './verification.ts';
import type { Arrival, Signed } from './verification.ts';

/** What follows the prefix, in lower case, whatever it is. */
const afterPrefix = (signature: string): string => signature.replace(/^v1,/, '').toLowerCase();
const hasPrefix = (signature: string): boolean => signature.startsWith('v1,');

const lacking = (name: keyof Signed) => (_signed: Signed, arrival: Arrival) =>
  valuesOf(arrival, `webhook-${name}`).length === 0 ? true : null;

/** Values of repeated headers, and which of them is taken. */
const taking = (place: 0 | -1) => (arrival: Arrival) => ({
  id: valuesOf(arrival, 'webhook-id').at(place),
  timestamp: valuesOf(arrival, 'webhook-timestamp').at(place),
  signature: valuesOf(arrival, 'webhook-signature').at(place),
});

const headerDefects: readonly Defect[] = [
  ...stepDefects('signature.header.missing', [
    ['missing-id-accepted', 'Accepts a delivery without webhook-id.', { atOnce: lacking('id') }],
    [
      'missing-timestamp-accepted',
      'Accepts a delivery without webhook-timestamp.',
      { atOnce: lacking('timestamp') },
    ],
    [
      'missing-signature-accepted',
      'Accepts a delivery without webhook-signature.',
      { atOnce: lacking('signature') },
    ],
    [
      'unsigned-accepted',
      'Accepts a delivery without any webhook header.',
      {
        atOnce: ({ id, signature }) => (id === undefined && signature === undefined ? true : null),
      },
    ],
  ]),
  ...stepDefects('signature.header.malformed', [
    [
      'empty-signature-accepted',
      'Accepts an empty webhook-signature.',
      { atOnce: ({ signature }) => (signature === '' ? true : null) },
    ],
    [
      'signature-blanks-removed',
      'Removes blanks from the signature before it compares.',
      { digests: (signature) => [afterPrefix(signature.replaceAll(/\s/g, ''))] },
    ],
    [
      'signature-list-accepted',
      'Accepts a list of signatures that contains a right one.',
      { digests: (signature) => signature.split(/[\s,]+/).filter((part) => part.length === 64) },
    ],
    [
      'signature-trailing-comma-accepted',
      'Removes a comma at the end of the signature.',
      { digests: (signature) => [afterPrefix(signature.replace(/,$/, ''))] },
    ],
  ]),
  ...stepDefects('signature.version-prefix', [
    [
      'prefix-optional',
      'Accepts a digest without the prefix v1.',
      { digests: (signature) => [afterPrefix(signature)] },
    ],
    [
      'prefix-of-any-version',
      'Accepts every version in the prefix.',
      { digests: (signature) => [signature.replace(/^v\w+,/, '')] },
    ],
    [
      'prefix-in-any-case',
      'Accepts the prefix in upper case.',
      { digests: (signature) => [afterPrefix(signature.toLowerCase())] },
    ],
    [
      'prefix-with-equals',
      'Accepts an equals sign in place of the comma.',
      { digests: (signature) => [signature.replace(/^v1[,=]/, '')] },
    ],
    [
      'prefix-of-sha256',
      'Accepts the prefix sha256=.',
      { digests: (signature) => [signature.replace(/^(v1,|sha256=)/, '')] },
    ],
  ]),
  ...stepDefects('signature.header.strict', [
    ['first-repeated-header', 'Takes the first of repeated headers.', { headers: taking(0) }],
    ['last-repeated-header', 'Takes the last of repeated headers.', { headers: taking(-1) }],
  ]),
];

const digestDefects: readonly Defect[] = [
  ...stepDefects('signature.digest.length', [
    [
      'digest-of-any-length',
      'Compares as many digits as the header has.',
      {
        digests: (signature) => (hasPrefix(signature) ? [afterPrefix(signature)] : []),
        isEqual: (given, computed) => computed.startsWith(given),
      },
    ],
    [
      'digest-cut',
      'Ignores what follows the 64th digit.',
      {
        digests: (signature) => (hasPrefix(signature) ? [afterPrefix(signature).slice(0, 64)] : []),
      },
    ],
    [
      'empty-digest-accepted',
      'Accepts a prefix without a digest.',
      { atOnce: ({ signature }) => (signature === 'v1,' ? true : null) },
    ],
  ]),
  ...stepDefects('signature.digest.not-hex', [
    [
      'digest-decoded-until-not-hex',
      'Compares the bytes before the first character that is not hex.',
      {
        digests: (signature) => (hasPrefix(signature) ? [afterPrefix(signature)] : []),
        isEqual: (given, computed) => {
          const digits = Buffer.from(given, 'hex').toString('hex');
          return given.length === 64 && digits.length > 0 && computed.startsWith(digits);
        },
      },
    ],
    [
      'digest-last-character-ignored',
      'Does not look at the last character of the digest.',
      {
        digests: (signature) => (hasPrefix(signature) ? [afterPrefix(signature)] : []),
        isEqual: (given, computed) =>
          given.length === 64 && given.slice(0, 63) === computed.slice(0, 63),
      },
    ],
  ]),
  ...stepDefects('signature.message.other-secret', [
    ['digest-not-compared', 'Accepts every well-formed digest.', { isEqual: () => true }],
    [
      'digest-first-half-compared',
      'Compares the first half of the digest.',
      { isEqual: (given, computed) => given.slice(0, 32) === computed.slice(0, 32) },
    ],
    [
      'digest-second-half-compared',
      'Compares the second half of the digest.',
      { isEqual: (given, computed) => given.slice(32) === computed.slice(32) },
    ],
    [
      'digest-last-byte-ignored',
      'Compares all bytes of the digest but the last.',
      { isEqual: (given, computed) => given.slice(0, 62) === computed.slice(0, 62) },
    ],
    [
      'zero-digest-accepted',
      'Accepts a digest of zeros.',
      { isEqual: (given, computed) => given === computed || /^0+$/.test(given) },
    ],
    [
      'other-secret-accepted',
      'Accepts a digest with the secret of another endpoint.',
      {
        keys: (key) => [
          key,
          Buffer.from('whsec_YW5vdGhlciBlbmRwb2ludCwgYW5vdGhlciBzZWNyZXQ='),
          Buffer.from('whsec_YW5vdGhlciBzZWNyZXQgb2YgdGhlIHN1aXRl'),
        ],
      },
    ],
    [
      'empty-secret-accepted',
      'Accepts a digest with an empty secret.',
      { keys: (key) => [key, new Uint8Array()] },
    ],
    [
      'secret-with-newline-accepted',
      'Accepts a digest with a line feed after the secret.',
      { keys: (key) => [key, Buffer.concat([key, Buffer.from('\n')])] },
    ],
  ]),
  ...stepDefects('signature.message.other-id', [
    [
      'id-not-signed',
      'Accepts a digest for another id.',
      { ids: (id) => [id, 'whev_other', 'whev_'] },
    ],
  ]),
  ...stepDefects('signature.message.other-timestamp', [
    [
      'timestamp-of-the-second-before',
      'Accepts a digest for the second before.',
      { timestamps: (timestamp) => [timestamp, String(Number(timestamp) - 1)] },
    ],
  ]),
  ...stepDefects('signature.message.verified', [
    ['id-left-out', 'Expects a digest without the id.', { ids: () => [''] }],
    ['timestamp-left-out', 'Expects a digest without the timestamp.', { timestamps: () => [''] }],
    [
      'key-without-its-beginning',
      'Takes another key than the configured one.',
      { keys: (key) => [key.slice(6)] },
    ],
    [
      'header-names-in-lower-case-only',
      'Knows its headers in lower case only.',
      {
        headers: ({ headers }) => {
          const known = new Map(headers);
          return {
            id: known.get('webhook-id'),
            timestamp: known.get('webhook-timestamp'),
            signature: known.get('webhook-signature'),
          };
        },
      },
    ],
  ]),
];

export const signatureDefects: readonly Defect[] = [...headerDefects, ...digestDefects];
