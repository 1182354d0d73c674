import { CONNECTION_PROBLEMS, REFUSAL_FIX } from '@hookproof/spec/control';

import { isRecord } from '../../command-line/json-file.ts';
import { safeLine } from '../../command-line/visible.ts';
import { AFTER_TIME, timeOfDay } from '../../command-line/screen.ts';
import type { Paint } from '../../command-line/screen.ts';
import { isAccepted, receiverFix } from '../../running/attempt-line.ts';
import type { Forwarded } from './app.ts';
import type { ListedDelivery } from './history.ts';

const MAX_BODY_CHARACTERS = 200;
/** What a body says about its event, as far as it is one. */
interface EventSummary {
  readonly type: string | null;
  readonly runStatus: string | null;
  readonly runId: string | null;
  readonly test: boolean;
}

/** Where a delivery went, and what came back. */
export interface Outcome {
  readonly result: Forwarded | { readonly kind: 'own'; readonly status: number };
  readonly milliseconds: number;
  readonly isRedelivery: boolean;
}

/** Reads what a body says, without trusting it. */
export function summaryOf(body: Buffer): EventSummary {
  const event = parsed(body);
  const data = isRecord(event['data']) ? event['data'] : {};
  const run = isRecord(data['run']) ? data['run'] : {};
  return {
    type: textOf(event['type']),
    runStatus: textOf(run['status']),
    runId: textOf(run['id']),
    test: event['test'] === true,
  };
}

/** The line of a delivery that has arrived, and why its signature is refused. */
export function arrivalLines(
  delivery: ListedDelivery,
  { dim, green, red, yellow }: Paint,
): string[] {
  const { receivedAt, number, id, attempt, verdict, body } = delivery;
  const { type, runStatus, runId, test } = summaryOf(body);
  const paint = verdict.code === 'valid' ? green : verdict.code === 'unverified' ? yellow : red;
  const secret = (verdict.secret ?? 1) > 1 ? ` (secret ${verdict.secret})` : '';
  const parts = [
    dim(timeOfDay(receivedAt)),
    `→ ${number}`,
    [type ?? 'no event', runStatus].filter((part) => part !== null).join(' '),
    test ? 'test event' : (runId ?? 'no run'),
    paint(verdict.code + secret),
    dim(idOf(id)),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
  ];
  const line = parts.join('  ');
  if (verdict.explanation === null) return [line];
  const { cause, text } = verdict.explanation;
  return [line, `${' '.repeat(AFTER_TIME)}${dim(`${cause}: ${safeLine(text)}`)}`];
}

/** The line of what came back for a delivery. */
export function outcomeLine(
  { number, id }: ListedDelivery,
  { result, milliseconds, isRedelivery }: Outcome,
  { dim, green, red }: Paint,
): string {
  const status = statusOf(result);
  const passed = isRedelivery ? '' : ' (the platform gets 502)';
  const shown = result.kind === 'error' ? result.code + passed : String(status);
  const parts = [
    dim(timeOfDay(Date.now())),
    `← ${number}`,
    (isAccepted({ status }) ? green : red)(shown),
    dim(`${milliseconds} ms`),
    ...(result.kind === 'own' ? ['no app'] : []),
    ...(isRedelivery ? ['redelivery'] : []),
    dim(idOf(id)),
    ...(isAccepted({ status }) ? [] : excerptOf(result)),
  ];
  return parts.join('  ');
}

/** What follows from a response of the app; null if its line says everything. */
export function fixOf(
  { verdict }: ListedDelivery,
  { result, isRedelivery }: Outcome,
): string | null {
  if (result.kind === 'error') {
    const problem = CONNECTION_PROBLEMS.get(result.code);
    return problem === undefined ? null : `${problem.evidence} Fix: ${problem.fix}`;
  }
  if (result.kind !== 'response' || isAccepted({ status: result.response.status })) return null;
  const [excerpt = null] = excerptOf(result);
  const fix = receiverFix(excerpt);
  if (fix !== null) return `Fix: ${fix}`;
  const isRefused = [401, 403].includes(result.response.status);
  return isRefused && !isRedelivery && verdict.code === 'valid'
    ? `The signature is valid. Fix: ${REFUSAL_FIX}`
    : null;
}

/** The row of a delivery for programs. It contains no part of the body. */
export function arrivalRow(delivery: ListedDelivery): object {
  const { receivedAt, number, id, attempt, verdict, body } = delivery;
  const at = new Date(receivedAt).toISOString();
  const { code, secret, explanation } = verdict;
  const signature = { verdict: code, secret, cause: explanation?.cause ?? null };
  const bytes = body.byteLength;
  return { event: 'delivery', at, number, id, attempt, ...summaryOf(body), bytes, signature };
}

/** The row of what came back, for programs. */
export function outcomeRow({ number, id }: ListedDelivery, outcome: Outcome): object {
  const { result, milliseconds, isRedelivery } = outcome;
  const [excerpt = null] = excerptOf(result);
  return {
    event: 'response',
    number,
    id,
    redelivery: isRedelivery,
    from: result.kind === 'own' ? 'listen' : 'app',
    status: statusOf(result),
    error: result.kind === 'error' ? result.code : null,
    milliseconds,
    body: excerpt,
  };
}

/** The status of the app, or of this program without one; null without a response. */
export function statusOf(result: Outcome['result']): number | null {
  if (result.kind === 'own') return result.status;
  return result.kind === 'response' ? result.response.status : null;
}

/** The beginning of the body of a response that is not 2xx. */
function excerptOf(result: Outcome['result']): string[] {
  if (result.kind !== 'response') return [];
  const { status, body } = result.response;
  const text = safeLine(body.toString('utf8', 0, 4 * MAX_BODY_CHARACTERS)).trim();
  if (isAccepted({ status }) || text === '') return [];
  return [text.length > MAX_BODY_CHARACTERS ? `${text.slice(0, MAX_BODY_CHARACTERS)}…` : text];
}

function idOf(id: string | null): string {
  return id === null ? 'no webhook-id' : safeLine(id).slice(0, 80);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? safeLine(value).slice(0, 80) : null;
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
