import { headerFinder } from '../verify/find-headers.ts';
import { HEADER_FORMS } from '../verify/header-forms.ts';
import type { HeaderPart } from '../verify/header-forms.ts';
import type { HeaderSource } from '../verify/find-headers.ts';
import type { Mistake } from './mistake.ts';

/**
 * The values of the three signature headers, in whatever number and form they came, and the length
 * of the body.
 */
export interface ReceivedHeaders extends Readonly<Record<HeaderPart, readonly string[]>> {
  /** The length that the sender announced; null without one, and for a compressed body. */
  readonly announcedBytes: number | null;
}

/** Reads the signature headers without judging them. */
export function receivedHeaders(source: HeaderSource): ReceivedHeaders {
  const found = find(source);
  const isEncoded = found['content-encoding'].some((encoding) => encoding !== 'identity');
  const [length] = isEncoded ? [] : found['content-length'];
  return {
    id: found['webhook-id'],
    timestamp: found['webhook-timestamp'],
    signature: found['webhook-signature'],
    announcedBytes: length === undefined ? null : Number(length),
  };
}

const find = headerFinder(
  ...(['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const),
  ...(['content-encoding', 'content-length'] as const),
);

const ALL_HEADERS = 'Pass all headers of the request, and let no proxy drop, join or repeat them.';
const SENDER = 'Fix the signer: webhook-signature is "v1," and the 64 hex digits of the digest.';

/**
 * Returns what is wrong with the form of the headers; undefined when each is present once and
 * well-formed.
 */
export function headerMistake({ id, timestamp, signature }: ReceivedHeaders): Mistake | undefined {
  const all = Object.entries({ id, timestamp, signature });
  const missing = all.find(([, values]) => values.length === 0)?.[0];
  if (missing !== undefined) {
    return mistake('header_missing', `webhook-${missing} is missing.`, ALL_HEADERS);
  }
  const repeated = all.find(([, values]) => values.length > 1);
  if (repeated !== undefined) {
    const [name, values] = repeated;
    const evidence = `webhook-${name} came ${values.length} times.`;
    return mistake('header_repeated', evidence, ALL_HEADERS);
  }
  if (/^\d{10}$/.test(id[0] ?? '') && /^[a-z]+_/.test(timestamp[0] ?? '')) {
    const evidence = 'webhook-id has a time, and webhook-timestamp an id.';
    return mistake('headers_swapped', evidence, 'Exchange them where the delivery is sent.');
  }
  return (
    idMistake(id[0] ?? '') ??
    timestampMistake(timestamp[0] ?? '') ??
    signatureMistake(signature[0] ?? '')
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
  if (/^1\d{12}$/.test(timestamp)) {
    const fix = 'Divide it by 1000 where the delivery is signed.';
    return mistake('timestamp_in_milliseconds', 'webhook-timestamp has 13 digits.', fix);
  }
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
    return mistake('signature_list', 'webhook-signature has several signatures.', SENDER);
  }
  if (/^V1,[\da-f]{64}$/i.test(signature)) {
    return mistake('signature_upper_case', 'webhook-signature begins with "V1,".', SENDER);
  }
  if (/^(?:sha256=|v1=|v1 )?[\da-f]{64}$/i.test(signature)) {
    return mistake('signature_prefix_missing', `${length} and no "v1,".`, SENDER);
  }
  if (/^(?:v1,)?[a-z\d+/_-]{43}=?$/i.test(signature)) {
    return mistake('signature_in_base64', `${length}, as a digest in base64 has.`, SENDER);
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
