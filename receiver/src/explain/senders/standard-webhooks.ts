import { HEADER_FORMS } from '../../verify/header-forms.ts';
import type { HeaderPart } from '../../verify/header-forms.ts';
import { ALL_HEADERS, millisecondsMistake } from '../found-headers.ts';
import { jsonProblem } from '../json-problem.ts';
import { keysMade, surroundings, withoutPrefix } from '../known-keys.ts';
import type { KnownKey } from '../known-keys.ts';
import type { Mistake } from '../mistake.ts';
import type { SenderForm } from '../sender-form.ts';
import { readWebhookHeaders } from '../webhook-headers.ts';

const BASE64_FIX = 'Decode the part after whsec_ from base64 where the delivery is signed.';

/** How senders of Standard Webhooks sign. */
export const STANDARD_WEBHOOKS: SenderForm = {
  read: (source) =>
    readWebhookHeaders(source, formMistake, (signature) =>
      digestsIn(signature).map((text) => Buffer.from(text, 'base64')),
    ),
  keyOf,
  mistakenKeys,
  eventProblem: (rawBody) => jsonProblem(rawBody, []),
  copyFix: 'Copy the signing secret of this endpoint from its sender, not an API key.',
};

function keyOf(secret: string): Uint8Array {
  return Buffer.from(withoutPrefix(secret), 'base64');
}

function digestsIn(signature: string): readonly string[] {
  return signature.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []));
}

function formMistake({
  id,
  timestamp,
  signature,
}: Readonly<Record<HeaderPart, string>>): Mistake | undefined {
  if (!HEADER_FORMS.id[0].test(id)) {
    const evidence = 'webhook-id has other characters than visible ASCII without comma, or none.';
    return {
      cause: id.includes(',') ? 'headers_joined' : 'id_malformed',
      evidence,
      fix: ALL_HEADERS,
    };
  }
  const milliseconds = millisecondsMistake(timestamp, 'webhook-timestamp');
  if (milliseconds !== undefined) return milliseconds;
  if (!HEADER_FORMS.timestamp[0].test(timestamp)) {
    const evidence = 'webhook-timestamp is no whole number of seconds since 1970.';
    return { cause: 'timestamp_not_unix_seconds', evidence, fix: ALL_HEADERS };
  }
  if (/^v1,[\da-f]{64}$/i.test(signature)) {
    return {
      cause: 'signature_in_hex',
      evidence: 'webhook-signature has 64 hex digits, as the platform sends them.',
      fix: 'Use platform() as the source of the platform; another sender has to send base64.',
    };
  }
  const digests = digestsIn(signature);
  if (digests.length === 0) {
    const evidence = `webhook-signature has ${signature.length} characters and no "v1,".`;
    return { cause: 'signature_prefix_missing', evidence, fix: ALL_HEADERS };
  }
  if (digests.every((text) => /^[\d+/A-Za-z]{42}[048AEIMQUYcgkosw]=$/.test(text))) return undefined;
  return {
    cause: 'signature_malformed',
    evidence:
      'webhook-signature has another form than "v1," and 32 bytes in base64, between spaces.',
    fix: ALL_HEADERS,
  };
}

function mistakenKeys(secret: string, name: string): readonly KnownKey[] {
  const bare = withoutPrefix(secret);
  return keysMade(name, [
    ['key_from_utf8', 'as UTF-8, whsec_ included', BASE64_FIX, secret],
    ['key_without_prefix', 'as UTF-8, without whsec_', BASE64_FIX, bare],
    ['key_from_hex', 'decoded from hex', BASE64_FIX, Buffer.from(bare, 'hex')],
    ...surroundings(secret, keyOf),
  ]);
}
