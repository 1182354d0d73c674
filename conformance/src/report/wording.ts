import type { DeliveryAttempt, HeaderPair, HttpExchange } from '../http/exchange.ts';
import type { Identity } from '../preflight/preflight.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Wire } from '../wire/gate.ts';
import type { CheckReport, TargetReport } from './model.ts';

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  pass: 'pass',
  fail: 'fail',
  known: 'known failure',
  advice: 'advice',
  info: 'info',
  'not-applicable': 'not applicable',
  locked: 'locked',
  'could-not-run': 'could not run',
  inconclusive: 'inconclusive',
  'harness-error': 'harness error',
};

/** Tenant and scope of a key. */
export function identityText({ tenantSlug, scope, wildcardGranted }: Identity): string {
  const granted = wildcardGranted ? ['wildcard key', ...scope] : scope;
  return `${tenantSlug} (${granted.length === 0 ? 'no scope' : granted.join(', ')})`;
}

/** The targets of a run, one for each side. */
export type JudgedTarget = Pick<TargetReport, 'baseUrl' | 'receiverUrl' | 'senderDriver'>;

/** What is judged: `API https://api.example.com, sender through --step-command`. */
export function targetText({ baseUrl, senderDriver, receiverUrl }: JudgedTarget): string {
  return [
    ...(baseUrl === null ? [] : [`API ${baseUrl}`]),
    ...(senderDriver === null ? [] : [`sender through ${senderDriver}`]),
    ...(receiverUrl === null ? [] : [`receiver ${receiverUrl}`]),
  ].join(', ');
}

/** What the run sent to its target. */
export function trafficText({ requests, writes, deliveries, bytesSent }: Readonly<Wire>): string {
  return [
    // A run on a receiver alone has deliveries only.
    ...(requests === 0 && deliveries > 0
      ? []
      : [counted(requests, 'request', 'requests'), counted(writes, 'write', 'writes')]),
    ...(deliveries === 0 ? [] : [counted(deliveries, 'delivery', 'deliveries')]),
    `${sizeText(bytesSent)} sent`,
  ].join(', ');
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A number with its noun: `1 check`, `0 checks`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Why a failure is accepted, by whom it will be fixed, and until when. */
export function knownText({ id, known }: CheckReport): string {
  return known === undefined
    ? id
    : `${id}: ${known.reason} (${known.owner}, until ${known.expires})`;
}

/** The message of a failure when it says more than its `expected` and `actual`; else null. */
export function ownMessage({ message, violation }: CheckReport): string | null {
  if (violation === undefined) return null;
  return message === `expected ${violation.expected}, got ${violation.actual}` ? null : message;
}

/** The request of an exchange as lines: method and URL, headers, body. */
export function requestText({ request }: HttpExchange): string {
  return messageText(`${request.method} ${request.url}`, request.headers, request.body);
}

/** The response of an exchange as lines: status, headers, body. */
export function responseText({ response }: HttpExchange): string {
  if (response === null) return 'no response';
  return messageText(`${response.status}`, response.headers, response.body);
}

function messageText(start: string, headers: readonly HeaderPair[], body: string | null): string {
  const head = [start, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n');
  return body === null ? head : `${head}\n\n${body}`;
}

/** At most this many attempts stand in one line. */
const MAX_ATTEMPTS_SHOWN = 4;
/** A virtual clock: the sender states other times than those at which its requests arrived. */
const SAME_CLOCK_SECONDS = 2;

/** The attempts in one line: `204 at 0 s, 204 at 31 s`. Empty for fewer than two. */
function attemptsText(attempts: readonly DeliveryAttempt[]): string {
  if (attempts.length < 2) return '';
  const stated = attempts.map(({ webhookTimestamp }) => Number(webhookTimestamp ?? NaN));
  const [first = NaN] = stated;
  const isVirtual = attempts.some(
    ({ seconds }, index) => Math.abs((stated[index] ?? NaN) - first - seconds) > SAME_CLOCK_SECONDS,
  );
  const shown = attempts.slice(0, MAX_ATTEMPTS_SHOWN).map(({ seconds, response }, index) => {
    const time = isVirtual ? (stated[index] ?? NaN) - first : seconds;
    return `${response} at ${time} s`;
  });
  const more = attempts.length - shown.length;
  return [
    shown.join(', '),
    ...(more === 0 ? [] : [` and ${more} more`]),
    ...(isVirtual ? [' of the virtual clock'] : []),
  ].join('');
}

/** The attempts with a line for each. */
export function attemptLines(attempts: readonly DeliveryAttempt[]): string {
  return attempts
    .map(
      ({ seconds, webhookTimestamp, response }, index) =>
        `${index + 1}. after ${seconds} s, webhook-timestamp ${webhookTimestamp ?? 'missing'}: ${response}`,
    )
    .join('\n');
}

/** What came, with what the check adds to it and the attempts that show it. Empty without a violation. */
export function actualText({ message, violation }: CheckReport): string {
  if (violation === undefined) return '';
  const { actual, attempts } = violation;
  const at = message.indexOf(`got ${actual}`);
  const came = at === -1 ? actual : message.slice(at + 'got '.length);
  const text = attemptsText(attempts);
  return text === '' ? came : `${came} (${text})`;
}

/** How many requirements how many checks are about: `4 requirements, 8 checks`. */
export function redsText(groups: readonly (readonly CheckReport[])[]): string {
  return [
    counted(groups.length, 'requirement', 'requirements'),
    counted(groups.flat().length, 'check', 'checks'),
  ].join(', ');
}

/** How often a violation was found: `once`, or `2 times`. */
export function timesText(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** How long effects took; null where the first read showed each, or nothing was measured. */
export function effectText({
  effectMilliseconds,
}: Pick<TargetReport, 'effectMilliseconds'>): string | null {
  if (effectMilliseconds === null || effectMilliseconds === 0) return null;
  return `reads show a write after up to ${(effectMilliseconds / 1000).toFixed(1)} s`;
}
