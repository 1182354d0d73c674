import type { HeaderPair, HttpExchange } from '../http/exchange.ts';
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

/** What is judged: `API https://api.example.com, sender through --trigger`. */
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
    counted(requests, 'request', 'requests'),
    counted(writes, 'write', 'writes'),
    ...(deliveries === 0 ? [] : [counted(deliveries, 'delivery', 'deliveries')]),
    `${counted(bytesSent, 'body byte', 'body bytes')} sent`,
  ].join(', ');
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
