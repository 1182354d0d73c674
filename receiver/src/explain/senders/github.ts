import { headerFinder } from '../../verify/find-headers.ts';
import type { HeaderSource } from '../../verify/find-headers.ts';
import { countMistake } from '../found-headers.ts';
import { jsonProblem } from '../json-problem.ts';
import { keysMade, surroundings } from '../known-keys.ts';
import { messagesMade } from '../known-messages.ts';
import type { KnownMessage } from '../known-messages.ts';
import type { Mistake } from '../mistake.ts';
import type { SenderForm, SignedHeaders } from '../sender-form.ts';

const TEXT_FIX = 'Use the text of the secret as the key: GitHub does not decode it.';
const FORM_FIX =
  'Set the content type of the webhook to application/json in its settings on GitHub.';

/** How GitHub signs. */
export const GITHUB: SenderForm = {
  read,
  keyOf: (secret) => Buffer.from(secret),
  mistakenKeys: (secret, name) =>
    keysMade(name, [
      ['key_from_base64', 'decoded from base64', TEXT_FIX, Buffer.from(secret, 'base64')],
      ['key_from_base64', 'decoded from hex', TEXT_FIX, Buffer.from(secret, 'hex')],
      ...surroundings(secret, (text) => text),
    ]),
  otherKind: (secret) =>
    /^(?:gh[a-z]_|github_pat_)/.test(secret) ? 'an access token of GitHub' : null,
  eventProblem: (rawBody) => jsonProblem(rawBody, []),
  copyFix:
    'Set the secret of this webhook anew in its settings on GitHub, and here: GitHub does not show it again.',
};

const find = headerFinder('x-hub-signature-256', 'x-github-delivery', 'x-github-event');
const findType = headerFinder('content-type');

function read(source: HeaderSource): SignedHeaders | Mistake {
  const found = find(source);
  if (found['x-hub-signature-256'].length === 0 && found['x-github-delivery'].length === 1) {
    return {
      cause: 'header_missing',
      evidence: 'x-hub-signature-256 is missing, and x-github-delivery is there.',
      fix: 'Set a secret in the settings of the webhook: without one GitHub signs nothing.',
    };
  }
  const wrong = countMistake(found, source);
  if (wrong !== undefined) return wrong;
  const [type = ''] = findType(source)['content-type'];
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    const evidence = 'The content type is application/x-www-form-urlencoded.';
    return { cause: 'body_form_encoded', evidence, fix: FORM_FIX };
  }
  const [signature = ''] = found['x-hub-signature-256'];
  if (!/^sha256=[\da-f]{64}$/.test(signature)) {
    return {
      cause: /^[\da-f]{64}$/i.test(signature) ? 'signature_prefix_missing' : 'signature_malformed',
      evidence: `x-hub-signature-256 has ${signature.length} characters in another form than "sha256=" and 64 lower-case hex digits.`,
      fix: 'Pass x-hub-signature-256 unchanged; x-hub-signature is SHA-1 and is not read.',
    };
  }
  return {
    id: found['x-github-delivery'][0] ?? '',
    timestamp: null,
    digests: [Buffer.from(signature.slice('sha256='.length), 'hex')],
    messageOf: (body) => body,
    mistakenMessages,
  };
}

/** A parser that reads the form passes its JSON on. */
function mistakenMessages(body: Uint8Array): readonly KnownMessage[] {
  const payload = Buffer.from(body).toString('utf8');
  const form = new URLSearchParams({ payload }).toString();
  return messagesMade(FORM_FIX, new Uint8Array(), [
    ['body_form_encoded', 'of the body as a form, payload=<body>', form],
  ]);
}
