import { SECRET_PREFIX } from '../../generated/constants.ts';
import { decodeEvent } from '../../verify/decode-event.ts';
import { HEADER_FORMS } from '../../verify/header-forms.ts';
import type { HeaderPart } from '../../verify/header-forms.ts';
import type { SecretEncoding } from '../../verify/secrets.ts';
import { ALL_HEADERS, millisecondsMistake } from '../found-headers.ts';
import { problemIn } from '../json-problem.ts';
import { keysMade, surroundings, withoutPrefix } from '../known-keys.ts';
import type { KnownKey } from '../known-keys.ts';
import type { Mistake } from '../mistake.ts';
import type { SenderForm } from '../sender-form.ts';
import { readWebhookHeaders } from '../webhook-headers.ts';

/** How the platform signs. */
export function platformForm(secretEncoding: SecretEncoding = 'utf8'): SenderForm {
  return {
    read: (source) =>
      readWebhookHeaders(source, formMistake, (signature) => [
        Buffer.from(signature.slice(3), 'hex'),
      ]),
    keyOf(secret) {
      const bare = secret.slice(SECRET_PREFIX.length);
      return secretEncoding === 'base64' ? Buffer.from(bare, 'base64') : Buffer.from(secret);
    },
    mistakenKeys,
    eventProblem: (rawBody, id) =>
      problemIn(() => {
        decodeEvent(rawBody, id);
        return null;
      }),
    copyFix: 'Copy the secret of this endpoint from the dashboard.',
  };
}

const ENCODING_FIX = 'Set secretEncoding to what the sender uses.';
const WHOLE_FIX = 'Use the whole secret as the key, prefix included.';

function mistakenKeys(secret: string, name: string): readonly KnownKey[] {
  const bare = withoutPrefix(secret);
  const whole = `Set the whole secret, with ${SECRET_PREFIX}.`;
  return keysMade(name, [
    ['key_from_utf8', 'as UTF-8, prefix included', ENCODING_FIX, secret],
    ['key_without_prefix', `without ${SECRET_PREFIX}`, WHOLE_FIX, bare],
    ['secret_without_prefix', `with ${SECRET_PREFIX} before it`, whole, SECRET_PREFIX + secret],
    ['key_from_base64', 'decoded from base64', ENCODING_FIX, Buffer.from(bare, 'base64')],
    ['key_from_base64', 'decoded from hex', ENCODING_FIX, Buffer.from(bare, 'hex')],
    ...surroundings(secret, (text) => text),
  ]);
}

const SENDER = 'Fix the signer: webhook-signature is "v1," and the 64 hex digits of the digest.';
const OTHER_SENDER = `${SENDER} If the sender follows Standard Webhooks, its source is standardWebhooks().`;

/** Returns what is wrong with headers that came once each; undefined when they are well-formed. */
function formMistake({
  id,
  timestamp,
  signature,
}: Readonly<Record<HeaderPart, string>>): Mistake | undefined {
  if (/^\d{10}$/.test(id) && /^[a-z]+_/.test(timestamp)) {
    const evidence = 'webhook-id has a time, and webhook-timestamp an id.';
    return mistake('headers_swapped', evidence, 'Exchange them where the delivery is sent.');
  }
  return (
    idMistake(id) ??
    millisecondsMistake(timestamp, 'webhook-timestamp') ??
    timestampMistake(timestamp) ??
    signatureMistake(signature)
  );
}

function idMistake(id: string): Mistake | undefined {
  if (HEADER_FORMS.id[0].test(id)) return undefined;
  return id.includes(',')
    ? mistake('headers_joined', 'webhook-id has a comma, as two joined headers have.', ALL_HEADERS)
    : mistake(
        'id_malformed',
        'webhook-id has other characters than visible ASCII, or none.',
        ALL_HEADERS,
      );
}

function timestampMistake(timestamp: string): Mistake | undefined {
  if (HEADER_FORMS.timestamp[0].test(timestamp)) return undefined;
  const evidence = `webhook-timestamp has ${timestamp.length} characters that are no whole number of seconds.`;
  return timestamp.includes(',')
    ? mistake('headers_joined', 'webhook-timestamp has a comma.', ALL_HEADERS)
    : mistake('timestamp_not_unix_seconds', evidence, 'Sign and send seconds since 1970.');
}

function signatureMistake(signature: string): Mistake | undefined {
  if (HEADER_FORMS.signature[0].test(signature)) return undefined;
  const length = `webhook-signature has ${signature.length} characters`;
  if (/v1,\S+[ ,]+v1/.test(signature)) {
    return mistake('signature_list', 'webhook-signature has several signatures.', OTHER_SENDER);
  }
  if (/^V1,[\da-f]{64}$/i.test(signature)) {
    return mistake('signature_upper_case', 'webhook-signature begins with "V1,".', SENDER);
  }
  if (/^(?:sha256=|v1=|v1 )?[\da-f]{64}$/i.test(signature)) {
    return mistake('signature_prefix_missing', `${length} and no "v1,".`, SENDER);
  }
  if (/^(?:v1,)?[a-z\d+/_-]{43}=?$/i.test(signature)) {
    return mistake('signature_in_base64', `${length}, as a digest in base64 has.`, OTHER_SENDER);
  }
  return mistake(
    'signature_malformed',
    `${length} in another form than "v1," and 64 hex digits.`,
    SENDER,
  );
}

function mistake(cause: Mistake['cause'], evidence: string, fix: string): Mistake {
  return { cause, evidence, fix };
}
