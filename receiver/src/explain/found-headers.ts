import { headerFinder } from '../verify/find-headers.ts';
import type { HeaderSource } from '../verify/find-headers.ts';
import type { Mistake } from './mistake.ts';

/** Headers by which other senders than the expected one are known. */
const SENDERS = {
  'stripe-signature': 'Stripe',
  'x-hub-signature-256': 'GitHub',
  'x-hub-signature': 'GitHub, with SHA-1',
  'svix-signature': 'Svix',
  'webhook-signature': 'the platform and senders of Standard Webhooks',
};

export const ALL_HEADERS =
  'Pass all headers of the request, and let no proxy drop, join or repeat them.';

const findOthers = headerFinder(...Object.keys(SENDERS));

const findLength = headerFinder('content-encoding', 'content-length');

/** Returns the length that was announced; `null` without one, and for a compressed body. */
export function announcedBytes(source: HeaderSource): number | null {
  const found = findLength(source);
  const isEncoded = found['content-encoding'].some((encoding) => encoding !== 'identity');
  const [length] = isEncoded ? [] : found['content-length'];
  return length === undefined ? null : Number(length);
}

/** Returns what is wrong when a header does not come exactly once. */
export function countMistake(
  found: Readonly<Record<string, readonly string[]>>,
  source: HeaderSource,
): Mistake | undefined {
  const all = Object.entries(found);
  const missing = all.find(([, values]) => values.length === 0)?.[0];
  if (missing !== undefined) return missingHeader(missing, Object.keys(found), source);
  const repeated = all.find(([, values]) => values.length > 1);
  if (repeated === undefined) return undefined;
  const [name, values] = repeated;
  const evidence = `${name} came ${values.length} times.`;
  return { cause: 'header_repeated', evidence, fix: ALL_HEADERS };
}

/** Returns what is wrong with a time when it is in milliseconds. */
export function millisecondsMistake(time: string, name: string): Mistake | undefined {
  if (!/^1\d{12}$/.test(time)) return undefined;
  const fix = 'Divide it by 1000 where the delivery is signed.';
  return { cause: 'timestamp_in_milliseconds', evidence: `${name} has 13 digits.`, fix };
}

function missingHeader(name: string, own: readonly string[], source: HeaderSource): Mistake {
  const others = findOthers(source);
  for (const [header, sender] of Object.entries(SENDERS)) {
    if (own.includes(header) || (others[header] ?? []).length === 0) continue;
    return {
      cause: 'header_of_other_sender',
      evidence: `${name} is missing, but the request has ${header}, as ${sender} send${sender.startsWith('the ') ? '' : 's'} it.`,
      fix: 'Compare the URL that this sender has with the path of its source, and the kind of the source.',
    };
  }
  return { cause: 'header_missing', evidence: `${name} is missing.`, fix: ALL_HEADERS };
}
