import { optionsObject } from '../argument-checks.ts';
import { SECRET_PREFIX, TIMESTAMP_TOLERANCE_SECONDS } from '../generated/constants.ts';
import { decodeEvent } from '../verify/decode-event.ts';
import { WebhookVerificationError } from '../verify/errors.ts';
import type { HeaderSource } from '../verify/find-headers.ts';
import { requireRawBytes } from '../verify/raw-body.ts';
import type { SecretEncoding } from '../verify/secrets.ts';
import { signingKey } from '../verify/signing-key.ts';
import { knownBodies, RAW_FIX, traceOfSerializer } from './known-bodies.ts';
import { headerMistake, receivedHeaders } from './known-headers.ts';
import { knownKeys } from './known-keys.ts';
import type { KnownKey } from './known-keys.ts';
import { knownMessages } from './known-messages.ts';
import type { KnownMessage } from './known-messages.ts';
import type { Mistake } from './mistake.ts';

/** A delivery as it arrived where it was refused. */
export interface FailedDelivery {
  /** All headers as they were received. */
  readonly headers: HeaderSource;
  /** The bytes that were verified. */
  readonly rawBody: Uint8Array;
}

export interface ExplainOptions {
  /** The secrets that the verifier was given, unchanged: they may be malformed. */
  readonly secrets: string | readonly string[];
  /** How the verifier makes its keys. Default: `utf8`. */
  readonly secretEncoding?: SecretEncoding;
  /** Secrets of other endpoints, by a name that the explanation may show. Default: none. */
  readonly otherSecrets?: Readonly<Record<string, string>>;
  /** Maximum difference between the timestamp and now, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Returns the current time in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/** Above this length only single mistakes are tried, not a wrong key with a changed body. */
const MAX_COMBINED_BODY_BYTES = 65_536;
const COPY_FIX = 'Copy the secret of this endpoint from the dashboard.';

/**
 * Returns which of the known mistakes made a delivery fail. Tries the form of the headers, then
 * each known key, signed message and body, alone and a key with a body, then the time and the
 * event. Use it in tests and in development; never send its result to the sender.
 *
 * Pure: reads no clock but `now`, writes nothing. The result contains no secret, no digest and no
 * part of the body.
 *
 * @returns The first mistake that fits; `valid` when the delivery is accepted, `unknown` when
 *   nothing fits.
 * @throws {TypeError} When `rawBody` is not bytes.
 * @example
 * ```ts
 * import { explainDelivery, formatExplanation } from '@hookproof/receiver/explain';
 *
 * export function explain(rawBody: Uint8Array, headers: Headers, secrets: string): void {
 *   console.log(formatExplanation(explainDelivery({ rawBody, headers }, { secrets })));
 * }
 * ```
 */
export function explainDelivery(delivery: FailedDelivery, options: ExplainOptions): Mistake {
  optionsObject(delivery, ['headers', 'rawBody'], 'delivery');
  optionsObject(options, ['secrets']);
  const { headers: source, rawBody } = delivery;
  requireRawBytes(rawBody);
  const headers = receivedHeaders(source);
  const malformed = headerMistake(headers);
  if (malformed !== undefined) return malformed;
  const [id = ''] = headers.id;
  const timestamp = Number(headers.timestamp[0]);
  const received = Buffer.from(headers.signature[0]?.slice(3) ?? '', 'hex');
  const messageOf = (body: Uint8Array) => Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const isSigned = (key: Uint8Array, message: Uint8Array): boolean =>
    signingKey([key], [message], [received]) === 0;

  const keys = configuredKeys(options);
  const right = keys.find(({ key }) => isSigned(key, messageOf(rawBody)));
  if (right !== undefined) return authenticMistake(id, timestamp, rawBody, options);

  const candidates = [...keys, ...mistakenKeys(options)];
  const messages = knownMessages(id, timestamp, rawBody);
  const bodies = knownBodies(rawBody, messageOf);
  const combined = rawBody.length > MAX_COMBINED_BODY_BYTES ? keys : candidates;
  const wrongKey = candidates.find(({ key }) => isSigned(key, messageOf(rawBody)));
  if (wrongKey !== undefined) return withoutKey(wrongKey);
  for (const known of [messages, bodies]) {
    const found = signedPair(known, keys, isSigned) ?? signedPair(known, combined, isSigned);
    if (found !== undefined) return found;
  }
  if (rawBody.length === 0) {
    return { cause: 'body_empty', evidence: 'The verified body has 0 bytes.', fix: RAW_FIX };
  }
  const { announcedBytes } = headers;
  if (announcedBytes !== null && announcedBytes !== rawBody.length) {
    return {
      cause: 'body_length_changed',
      evidence: `${announcedBytes} bytes were announced in content-length, ${rawBody.length} were verified.`,
      fix: RAW_FIX,
    };
  }
  return {
    cause: 'unknown',
    evidence: `No known mistake gives this signature (${candidates.length} keys and ${bodies.length} bodies tried).${traceOfSerializer(rawBody)}`,
    fix: `${COPY_FIX} Then look for a proxy or middleware that changes the body.`,
  };
}

function signedPair(
  known: readonly KnownMessage[],
  keys: readonly KnownKey[],
  isSigned: (key: Uint8Array, message: Uint8Array) => boolean,
): Mistake | undefined {
  for (const { cause, evidence, fix, message } of known) {
    const found = keys.find(({ key }) => isSigned(key, message));
    if (found === undefined) continue;
    if (found.cause === 'valid') return { cause, evidence, fix };
    return { cause, evidence: `${evidence} ${found.evidence}`, fix: `${fix} ${found.fix}` };
  }
  return undefined;
}

function withoutKey({ cause, evidence, fix }: KnownKey): Mistake {
  return { cause, evidence, fix };
}

/** The keys that the verifier uses. */
function configuredKeys({ secrets, secretEncoding = 'utf8' }: ExplainOptions): readonly KnownKey[] {
  return [secrets].flat().map((secret) => {
    const bare = secret.slice(SECRET_PREFIX.length);
    const key = secretEncoding === 'base64' ? Buffer.from(bare, 'base64') : Buffer.from(secret);
    return { cause: 'valid', evidence: '', fix: '', key };
  });
}

function mistakenKeys({ secrets, otherSecrets = {} }: ExplainOptions): readonly KnownKey[] {
  const own = [secrets].flat().flatMap((secret, index) => knownKeys(secret, `secrets[${index}]`));
  const others = Object.entries(otherSecrets).flatMap(([name, secret]) =>
    knownKeys(secret, `the secret of ${name}`).map(({ evidence, key }): KnownKey => {
      return { cause: 'other_secret', evidence, fix: COPY_FIX, key };
    }),
  );
  return [...own, ...others];
}

/** Returns why an authentic delivery is refused, if it is. */
function authenticMistake(
  id: string,
  timestamp: number,
  rawBody: Uint8Array,
  { toleranceSeconds = TIMESTAMP_TOLERANCE_SECONDS, now = Date.now }: ExplainOptions,
): Mistake {
  const age = Math.floor(now() / 1000) - timestamp;
  if (Math.abs(age) > toleranceSeconds) {
    const direction = age > 0 ? 'behind' : 'ahead of';
    const evidence = `The signature is valid; its time is ${Math.abs(age)} s ${direction} this clock (tolerance ${toleranceSeconds} s).`;
    const fix = 'Compare both clocks with NTP. An old request that was sent again also does this.';
    return { cause: 'clock_off', evidence, fix };
  }
  try {
    decodeEvent(rawBody, id);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { cause: 'event_invalid', evidence: error.message, fix: '' };
  }
  return { cause: 'valid', evidence: 'The delivery is accepted.', fix: '' };
}

/**
 * Writes an explanation as one line: `cause: evidence fix`.
 *
 * @example
 * ```ts
 * import { formatExplanation } from '@hookproof/receiver/explain';
 *
 * const evidence = 'The verified body has 0 bytes.';
 * console.log(formatExplanation({ cause: 'body_empty', evidence, fix: 'Read it first.' }));
 * // body_empty: The verified body has 0 bytes. Read it first.
 * ```
 */
export function formatExplanation({ cause, evidence, fix }: Mistake): string {
  return `${cause}: ${evidence} ${fix}`.trim();
}
