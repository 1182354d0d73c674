import { headerValue, membersOf, parseJson } from '@hookproof/conformance/hooks';

import { defect } from '../kit/defect.ts';
import type { Defect, Open } from '../kit/defect.ts';
import { respond } from '../kit/message.ts';
import { eventOf, isAccepted, isDelivery, verifies } from '../kit/receiver.ts';
import type { EventView } from '../kit/receiver.ts';
import { RIGHT_STEPS, valuesOf } from '../kit/verification.ts';
import type { Arrival, Signed, Steps } from '../kit/verification.ts';

const MISSING = 'signature.header.missing';
const MALFORMED = 'signature.header.malformed';
const REPEATED = 'signature.header.strict';
const LENGTH = 'signature.digest.length';
const NOT_HEX = 'signature.digest.not-hex';
const SECRET = 'signature.message.other-secret';
const VERIFIED = 'signature.message.verified';

/** A well-formed id, for one that is not. */
const STAND_IN = 'whev_standin';

/** What follows the prefix, in lower case, whatever it is. */
const afterPrefix = (signature: string): string => signature.replace(/^v1,/, '').toLowerCase();
const hasPrefix = (signature: string): boolean => signature.startsWith('v1,');

const lacking = (name: keyof Signed) => (_signed: Signed, arrival: Arrival) =>
  valuesOf(arrival, `webhook-${name}`).length === 0 ? true : null;

/** Of repeated headers, takes the first or the last value. */
const taking = (index: 0 | -1) => (arrival: Arrival) => ({
  id: valuesOf(arrival, 'webhook-id').at(index),
  timestamp: valuesOf(arrival, 'webhook-timestamp').at(index),
  signature: valuesOf(arrival, 'webhook-signature').at(index),
});

/** Takes the id in the header for `signedAs`, where a valid receiver refuses it. */
function withIdInPlaceOf(id: string | undefined, signedAs: string): Partial<Steps> {
  return {
    headers: (arrival) => {
      const signed = RIGHT_STEPS.headers(arrival);
      const isOther = signed.id === id && valuesOf(arrival, 'webhook-id').length < 2;
      return isOther ? { ...signed, id: STAND_IN } : signed;
    },
    ids: (given) => [given === STAND_IN ? signedAs : given],
  };
}

const headerDefects: readonly Defect[] = [
  defect({
    id: 'id-of-the-body-verified',
    breaks: 'signature.message.other-id',
    does: 'Verifies the id in the body, whatever webhook-id is.',
    receiver: verifies({
      headers: (arrival) => {
        const { id } = membersOf(parseJson(Buffer.from(arrival.body).toString()));
        const signed = RIGHT_STEPS.headers(arrival);
        return { ...signed, id: typeof id === 'string' ? id : signed.id };
      },
    }),
  }),
  defect({
    id: 'forged-text-accepted',
    breaks: SECRET,
    does: 'Accepts whatever is not JSON by its content type, without a look at the signature.',
    receiver: verifies({
      atOnce: (_signed, { headers }) =>
        headerValue(headers, 'content-type')?.startsWith('text/') === true ? true : null,
    }),
  }),
  defect({
    id: 'missing-id-accepted',
    breaks: MISSING,
    does: 'Accepts a delivery without webhook-id.',
    receiver: verifies({ atOnce: lacking('id') }),
  }),
  defect({
    id: 'missing-timestamp-accepted',
    breaks: MISSING,
    does: 'Accepts a delivery without webhook-timestamp.',
    receiver: verifies({ atOnce: lacking('timestamp') }),
  }),
  defect({
    id: 'missing-signature-accepted',
    breaks: MISSING,
    does: 'Accepts a delivery without webhook-signature.',
    receiver: verifies({ atOnce: lacking('signature') }),
  }),
  defect({
    id: 'unsigned-accepted',
    breaks: MISSING,
    does: 'Accepts a delivery without any webhook header.',
    receiver: verifies({
      atOnce: ({ id, signature }) => (id === undefined && signature === undefined ? true : null),
    }),
  }),
  defect({
    id: 'missing-id-signed-as-empty-accepted',
    breaks: MISSING,
    does: 'Verifies an empty text in place of a missing webhook-id.',
    receiver: verifies(withIdInPlaceOf(undefined, '')),
  }),
  defect({
    id: 'missing-id-signed-as-undefined-accepted',
    breaks: MISSING,
    does: 'Verifies the text "undefined" in place of a missing webhook-id.',
    receiver: verifies(withIdInPlaceOf(undefined, 'undefined')),
  }),
  defect({
    id: 'empty-id-accepted',
    breaks: MALFORMED,
    does: 'Accepts an empty webhook-id that is signed.',
    receiver: verifies(withIdInPlaceOf('', '')),
  }),
  defect({
    id: 'empty-signature-accepted',
    breaks: MALFORMED,
    does: 'Accepts an empty webhook-signature.',
    receiver: verifies({ atOnce: ({ signature }) => (signature === '' ? true : null) }),
  }),
  defect({
    id: 'signature-blanks-removed',
    breaks: MALFORMED,
    does: 'Removes blanks from the signature before it compares.',
    receiver: verifies({
      digests: (signature) => [afterPrefix(signature.replaceAll(/\s/g, ''))],
    }),
  }),
  defect({
    id: 'signature-list-accepted',
    breaks: MALFORMED,
    does: 'Accepts a list of signatures if one of them is valid.',
    receiver: verifies({
      digests: (signature) => signature.split(/[\s,]+/).filter((part) => part.length === 64),
    }),
  }),
  defect({
    id: 'prefix-optional',
    breaks: MALFORMED,
    does: 'Accepts a digest without the prefix v1.',
    receiver: verifies({ digests: (signature) => [afterPrefix(signature)] }),
  }),
  defect({
    id: 'prefix-of-any-version',
    breaks: MALFORMED,
    does: 'Accepts every version in the prefix.',
    receiver: verifies({ digests: (signature) => [signature.replace(/^v\w+,/, '')] }),
  }),
  defect({
    id: 'prefix-in-any-case',
    breaks: MALFORMED,
    does: 'Accepts the prefix in upper case.',
    receiver: verifies({ digests: (signature) => [afterPrefix(signature.toLowerCase())] }),
  }),
  defect({
    id: 'prefix-of-sha256',
    breaks: MALFORMED,
    does: 'Accepts the prefix sha256=.',
    receiver: verifies({ digests: (signature) => [signature.replace(/^(v1,|sha256=)/, '')] }),
  }),
  defect({
    id: 'first-repeated-header',
    breaks: REPEATED,
    does: 'Reads the first of repeated headers.',
    receiver: verifies({ headers: taking(0) }),
  }),
  defect({
    id: 'last-repeated-header',
    breaks: REPEATED,
    does: 'Reads the last of repeated headers.',
    receiver: verifies({ headers: taking(-1) }),
  }),
];

const digestDefects: readonly Defect[] = [
  defect({
    id: 'digest-of-any-length',
    breaks: LENGTH,
    does: 'Compares as many digits of the digest as it receives.',
    receiver: verifies({
      digests: (signature) => (hasPrefix(signature) ? [afterPrefix(signature)] : []),
      isEqual: (given, computed) => computed.startsWith(given),
    }),
  }),
  defect({
    id: 'digest-cut',
    breaks: LENGTH,
    does: 'Ignores what follows the 64th digit of the digest.',
    receiver: verifies({
      digests: (signature) => (hasPrefix(signature) ? [afterPrefix(signature).slice(0, 64)] : []),
    }),
  }),
  defect({
    id: 'empty-digest-accepted',
    breaks: LENGTH,
    does: 'Accepts the prefix without a digest.',
    receiver: verifies({ atOnce: ({ signature }) => (signature === 'v1,' ? true : null) }),
  }),
  defect({
    id: 'digest-decoded-until-not-hex',
    breaks: NOT_HEX,
    does: 'Compares the bytes before the first character that is not hex.',
    receiver: verifies({
      digests: (signature) => (hasPrefix(signature) ? [afterPrefix(signature)] : []),
      isEqual: (given, computed) => {
        const digits = Buffer.from(given, 'hex').toString('hex');
        return given.length === 64 && digits.length > 0 && computed.startsWith(digits);
      },
    }),
  }),
  defect({
    id: 'digest-not-compared',
    breaks: SECRET,
    does: 'Accepts every well-formed digest.',
    receiver: verifies({ isEqual: () => true }),
  }),
  defect({
    id: 'digest-last-byte-ignored',
    breaks: SECRET,
    does: 'Compares all bytes of the digest but the last.',
    receiver: verifies({
      isEqual: (given, computed) => given.slice(0, 62) === computed.slice(0, 62),
    }),
  }),
  defect({
    id: 'zero-digest-accepted',
    breaks: SECRET,
    does: 'Accepts a digest of zeros.',
    receiver: verifies({ isEqual: (given, computed) => given === computed || /^0+$/.test(given) }),
  }),
  defect({
    id: 'other-secret-accepted',
    breaks: SECRET,
    does: 'Accepts a digest that was made with the secret of another endpoint.',
    receiver: verifies({
      keys: (key) => [
        key,
        Buffer.from('whsec_YW5vdGhlciBlbmRwb2ludCwgYW5vdGhlciBzZWNyZXQ='),
        Buffer.from('whsec_YW5vdGhlciBzZWNyZXQgb2YgdGhlIHN1aXRl'),
      ],
    }),
  }),
  defect({
    id: 'empty-secret-accepted',
    breaks: SECRET,
    does: 'Accepts a digest that was made with an empty secret.',
    receiver: verifies({ keys: (key) => [key, new Uint8Array()] }),
  }),
  defect({
    id: 'id-not-signed',
    breaks: 'signature.message.other-id',
    does: 'Accepts a digest for another id.',
    receiver: verifies({ ids: (id) => [id, 'whev_other', 'whev_'] }),
  }),
  defect({
    id: 'timestamp-of-the-second-before',
    breaks: 'signature.message.other-timestamp',
    does: 'Accepts a digest for the second before.',
    receiver: verifies({
      timestamps: (timestamp) => [timestamp, String(Number(timestamp) - 1)],
    }),
  }),
  defect({
    id: 'id-left-out',
    breaks: VERIFIED,
    does: 'Expects a digest without the id.',
    receiver: verifies({ ids: () => [''] }),
  }),
  defect({
    id: 'key-of-another-secret',
    breaks: VERIFIED,
    does: 'Verifies with another secret than the configured one.',
    receiver: verifies({ keys: () => [Buffer.from('whsec_YW5vdGhlciBrZXk=')] }),
  }),
  defect({
    id: 'header-names-in-lower-case-only',
    breaks: VERIFIED,
    does: 'Reads header names in lower case only.',
    receiver: verifies({
      headers: ({ headers }) => {
        const known = new Map(headers);
        return {
          id: known.get('webhook-id'),
          timestamp: known.get('webhook-timestamp'),
          signature: known.get('webhook-signature'),
        };
      },
    }),
  }),
];

/** Receivers that acknowledge a delivery by what they remember, without verifying it. */
const memoryDefects: readonly Defect[] = [
  defect({
    id: 'known-id-not-verified',
    breaks: SECRET,
    does: 'Acknowledges a delivery with a known id without verifying it.',
    receiver: remembering('webhook-id'),
  }),
  defect({
    id: 'handled-id-not-verified',
    breaks: 'receiver.refused.no-effect',
    does: 'Acknowledges a delivery with the id of a real event that it has handled without verifying it.',
    receiver: remembering('webhook-id', (event) => event?.test === false),
  }),
  defect({
    id: 'known-signature-not-verified',
    breaks: 'signature.message.other-body',
    does: 'Acknowledges a delivery with a signature that it has verified before.',
    receiver: remembering('webhook-signature'),
  }),
  defect({
    id: 'agent-events-not-verified',
    breaks: SECRET,
    does: 'Verifies the events of workflow runs only.',
    receiver: verifies({
      atOnce: (_signed, { headers, body }) => {
        const event = eventOf({ method: 'POST', url: '', headers, body });
        return event?.run['type'] === 'agent' ? true : null;
      },
    }),
  }),
];

/** Acknowledges what has a header with the value of an accepted delivery. */
function remembering(
  name: string,
  isRemembered: (event: EventView | null) => boolean = () => true,
): Open {
  return () => {
    const known = new Set<string>();
    return {
      receiver: async (request, next) => {
        const value = headerValue(request.headers, name) ?? '';
        if (!isDelivery(request)) return next(request);
        if (known.has(value)) return respond(204);
        const response = await next(request);
        if (isAccepted(response) && isRemembered(eventOf(request))) known.add(value);
        return response;
      },
    };
  };
}

/** Defects of the headers, the digest and the memory. */
export const signatureDefects: readonly Defect[] = [
  ...headerDefects,
  ...digestDefects,
  ...memoryDefects,
];
