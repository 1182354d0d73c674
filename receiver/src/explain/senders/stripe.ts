import { headerFinder } from '../../verify/find-headers.ts';
import type { HeaderSource } from '../../verify/find-headers.ts';
import { HEADER_FORMS } from '../../verify/header-forms.ts';
import { countMistake, millisecondsMistake } from '../found-headers.ts';
import { keysMade, surroundings, withoutPrefix } from '../known-keys.ts';
import type { KnownKey } from '../known-keys.ts';
import { messagesMade } from '../known-messages.ts';
import type { Mistake } from '../mistake.ts';
import { jsonProblem } from '../json-problem.ts';
import type { SenderForm, SignedHeaders } from '../sender-form.ts';

const KIND_FIX = 'Set the signing secret of this endpoint (whsec_…).';
const KEY_FIX = 'Use the whole secret as the key, whsec_ included.';

/** How Stripe signs. */
export const STRIPE: SenderForm = {
  read,
  keyOf: (secret) => Buffer.from(secret),
  mistakenKeys,
  otherKind: (secret) => (/^[prs]k_/.test(secret) ? 'an API key of Stripe' : null),
  eventProblem: (rawBody) => jsonProblem(rawBody, ['id', 'type']),
  copyFix:
    'Copy the signing secret of this endpoint from the Dashboard: each endpoint has its own, test mode another than ' +
    'live mode, and stripe listen prints its own.',
};

const find = headerFinder('stripe-signature');

function read(source: HeaderSource): SignedHeaders | Mistake {
  const found = find(source);
  const wrong = countMistake(found, source);
  if (wrong !== undefined) return wrong;
  const [header = ''] = found['stripe-signature'];
  const parts = header.split(',').map((part) => part.split('=', 2));
  const valuesOf = (scheme: string): readonly string[] =>
    parts.flatMap(([name, value = '']) => (name === scheme ? [value] : []));
  const [time = '', ...others] = valuesOf('t');
  const digests = valuesOf('v1');
  const malformed = formMistake(header, time, others, digests);
  if (malformed !== undefined) return malformed;
  const timestamp = Number(time);
  const messages = (body: Uint8Array) =>
    messagesMade('Sign and verify <t>.<body>.', body, [
      ['message_is_body_alone', '<body>', ''],
      ['message_in_milliseconds', '<milliseconds>.<body>', `${timestamp}000.`],
      ['message_other_separator', '<t><body>', `${timestamp}`],
    ]);
  return {
    id: '',
    timestamp,
    digests: digests.map((digest) => Buffer.from(digest, 'hex')),
    messageOf: (body) => Buffer.concat([Buffer.from(`${timestamp}.`), body]),
    mistakenMessages: messages,
  };
}

const UNCHANGED = 'Pass stripe-signature unchanged.';

function formMistake(
  header: string,
  time: string,
  others: readonly string[],
  digests: readonly string[],
): Mistake | undefined {
  if (others.length > 0) {
    const evidence = 'stripe-signature has several times, as two joined headers have.';
    return { cause: 'headers_joined', evidence, fix: UNCHANGED };
  }
  const milliseconds = millisecondsMistake(time, 't=');
  if (milliseconds !== undefined) return milliseconds;
  if (!HEADER_FORMS.timestamp[0].test(time)) {
    const evidence = 'stripe-signature has no t= with whole seconds since 1970.';
    return { cause: 'timestamp_not_unix_seconds', evidence, fix: UNCHANGED };
  }
  if (digests.length === 0) {
    const evidence = `stripe-signature has ${header.length} characters and no v1=.`;
    return { cause: 'signature_prefix_missing', evidence, fix: UNCHANGED };
  }
  if (digests.every((digest) => /^[\da-f]{64}$/.test(digest))) return undefined;
  const isBase64 = digests.some((digest) => /^[a-z\d+/_-]{43}=?$/i.test(digest));
  return {
    cause: isBase64 ? 'signature_in_base64' : 'signature_malformed',
    evidence: 'v1= has another form than 64 lower-case hex digits.',
    fix: 'Write the digest in hex where the delivery is signed.',
  };
}

function mistakenKeys(secret: string, name: string): readonly KnownKey[] {
  const bare = withoutPrefix(secret);
  return keysMade(name, [
    ['secret_without_prefix', 'with whsec_ before it', KIND_FIX, `whsec_${secret}`],
    ['key_without_prefix', 'without whsec_', KEY_FIX, bare],
    ['key_from_base64', 'decoded from base64', KEY_FIX, Buffer.from(bare, 'base64')],
    ...surroundings(secret, (text) => text),
  ]);
}
