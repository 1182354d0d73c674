import { TIMESTAMP_TOLERANCE_SECONDS } from '../generated/constants.ts';
import type { HeaderSource } from '../verify/find-headers.ts';
import { requireRawBytes } from '../verify/raw-body.ts';
import { signingKey } from '../verify/signing-key.ts';
import { announcedBytes } from './found-headers.ts';
import { knownBodies, RAW_FIX, traceOfSerializer } from './known-bodies.ts';
import type { KnownKey } from './known-keys.ts';
import type { KnownMessage } from './known-messages.ts';
import type { Mistake } from './mistake.ts';
import type { SenderForm, SignedHeaders } from './sender-form.ts';

/** A delivery as it arrived where it was refused. */
export interface FailedDelivery {
  /** All headers as they were received. */
  readonly headers: HeaderSource;
  /** The bytes that were verified. */
  readonly rawBody: Uint8Array;
}

/** With what a delivery was verified. */
export interface SignedWith {
  /** The secrets that the verifier was given, unchanged: they may be malformed. */
  readonly secrets: string | readonly string[];
  /** Secrets of other endpoints, by a name that the explanation may show. Default: none. */
  readonly otherSecrets?: Readonly<Record<string, string>>;
  /** Maximum difference between the timestamp and now, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Returns the current time in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/** Above this length only single mistakes are tried, not a wrong key with a changed body. */
const MAX_COMBINED_BODY_BYTES = 65_536;

/** Returns which of the known mistakes made a delivery of a sender fail. */
export function explainSigned(
  form: SenderForm,
  delivery: FailedDelivery,
  options: SignedWith,
): Mistake {
  const { headers: source, rawBody } = delivery;
  requireRawBytes(rawBody);
  const signed = form.read(source);
  if ('cause' in signed) return signed;
  const { digests, messageOf } = signed;
  const isSigned = (key: Uint8Array, message: Uint8Array): boolean =>
    signingKey([key], [message], digests) === 0;

  const keys = configuredKeys(form, options);
  const right = keys.find(({ key }) => isSigned(key, messageOf(rawBody)));
  if (right !== undefined) return authenticMistake(form, signed, rawBody, options);
  const otherKind = kindMistake(form, options);
  if (otherKind !== undefined) return otherKind;

  const candidates = [...keys, ...mistakenKeys(form, options)];
  const messages = signed.mistakenMessages(rawBody);
  const bodies = knownBodies(rawBody, messageOf);
  const combined = rawBody.length > MAX_COMBINED_BODY_BYTES ? keys : candidates;
  const wrongKey = candidates.find(({ key }) => isSigned(key, messageOf(rawBody)));
  if (wrongKey !== undefined) return withoutKey(wrongKey);
  for (const known of [messages, bodies]) {
    const found = signedPair(known, keys, isSigned) ?? signedPair(known, combined, isSigned);
    if (found !== undefined) return found;
  }
  return (
    bodyMistake(source, rawBody) ?? {
      cause: 'unknown',
      evidence: `No known mistake gives this signature (${candidates.length} keys and ${bodies.length} bodies tried).${traceOfSerializer(rawBody)}`,
      fix: `${form.copyFix} Then look for a proxy or middleware that changes the body.`,
    }
  );
}

/** Returns what the length of a body shows. */
function bodyMistake(source: HeaderSource, rawBody: Uint8Array): Mistake | undefined {
  if (rawBody.length === 0) {
    return { cause: 'body_empty', evidence: 'The verified body has 0 bytes.', fix: RAW_FIX };
  }
  const announced = announcedBytes(source);
  if (announced === null || announced === rawBody.length) return undefined;
  return {
    cause: 'body_length_changed',
    evidence: `${announced} bytes were announced in content-length, ${rawBody.length} were verified.`,
    fix: RAW_FIX,
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
function configuredKeys(form: SenderForm, { secrets }: SignedWith): readonly KnownKey[] {
  return [secrets].flat().map((secret) => {
    return { cause: 'valid', evidence: '', fix: '', key: form.keyOf(secret) };
  });
}

function mistakenKeys(
  form: SenderForm,
  { secrets, otherSecrets = {} }: SignedWith,
): readonly KnownKey[] {
  const own = [secrets]
    .flat()
    .flatMap((secret, index) => form.mistakenKeys(secret, `secrets[${index}]`));
  const others = Object.entries(otherSecrets).flatMap(([name, secret]) => {
    const called = `the secret of ${name}`;
    const right = { evidence: `The signature matches ${called}.`, key: form.keyOf(secret) };
    return [right, ...form.mistakenKeys(secret, called)].map(({ evidence, key }): KnownKey => {
      return { cause: 'other_secret', evidence, fix: form.copyFix, key };
    });
  });
  return [...own, ...others];
}

/** Returns why a secret cannot sign webhooks. */
function kindMistake(
  { otherKind, copyFix }: SenderForm,
  { secrets }: SignedWith,
): Mistake | undefined {
  for (const [index, secret] of [secrets].flat().entries()) {
    const kind = otherKind?.(secret) ?? null;
    if (kind === null) continue;
    const evidence = `secrets[${index}] begins as ${kind} does.`;
    return { cause: 'secret_of_other_kind', evidence, fix: copyFix };
  }
  return undefined;
}

/** Returns why an authentic delivery is refused, if it is. */
function authenticMistake(
  form: SenderForm,
  { id, timestamp }: SignedHeaders,
  rawBody: Uint8Array,
  { toleranceSeconds = TIMESTAMP_TOLERANCE_SECONDS, now = Date.now }: SignedWith,
): Mistake {
  const age = timestamp === null ? 0 : Math.floor(now() / 1000) - timestamp;
  if (Math.abs(age) > toleranceSeconds) {
    const direction = age > 0 ? 'behind' : 'ahead of';
    const evidence = `The signature is valid; its time is ${Math.abs(age)} s ${direction} this clock (tolerance ${toleranceSeconds} s).`;
    const fix = 'Compare both clocks with NTP. An old request that was sent again also does this.';
    return { cause: 'clock_off', evidence, fix };
  }
  const problem = form.eventProblem(rawBody, id);
  if (problem !== null) return { cause: 'event_invalid', evidence: problem, fix: '' };
  return { cause: 'valid', evidence: 'The delivery is accepted.', fix: '' };
}
