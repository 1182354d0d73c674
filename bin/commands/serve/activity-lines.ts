import type { Activity } from '@hookproof/server-reference';

import type { Paint } from '../../command-line/screen.ts';

/** How `serve` shows requests and attempts. */
export type LogFormat = 'text' | 'json';

type Data<Event extends Activity['event']> = Extract<Activity, { event: Event }>['data'];

const MAX_BODY_CHARACTERS = 120;
/** As wide as the time. */
const INDENT = ' '.repeat(14);

/** Returns the lines for a request or an attempt; none for anything else. They contain no secret. */
export function activityLines(activity: Activity, format: LogFormat, paint: Paint): string[] {
  const { event, data } = activity;
  if (event !== 'request' && event !== 'attempt') return [];
  if (format === 'json') return [withoutSecrets(JSON.stringify({ event, ...shown(data) }))];
  return (event === 'request' ? requestLines(data, paint) : attemptLines(data, paint)).map(
    withoutSecrets,
  );
}

function shown(data: Data<'request'> | Data<'attempt'>): object {
  return 'url' in data ? { ...data, url: withoutQuery(data.url) } : data;
}

function requestLines(request: Data<'request'>, { dim, green, yellow, red }: Paint): string[] {
  const { at, method, path, status, milliseconds, refusedAt, code } = request;
  const color = status === null || status >= 500 ? red : status >= 400 ? yellow : green;
  const parts = [
    dim(timeOf(at)),
    method,
    printable(path),
    color(status === null ? 'no response' : String(status)),
    dim(`${milliseconds} ms`),
    ...(refusedAt === null ? [] : [`${code ?? 'refused'} (${refusedAt})`]),
  ];
  return [parts.join('  ')];
}

function attemptLines(attempt: Data<'attempt'>, { dim, green, red }: Paint): string[] {
  const { startedAt, type, runStatus, runId, url, status, error, milliseconds } = attempt;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const parts = [
    dim(timeOf(startedAt)),
    `→ ${type}${runStatus === null ? '' : ` ${runStatus}`}`,
    runId ?? 'test event',
    withoutQuery(url) ?? 'deleted endpoint',
    (isDelivered ? green : red)(String(status ?? error)),
    dim(`${milliseconds} ms`),
    ...(attempt.deliveryFault === null ? [] : [`fault ${attempt.deliveryFault}`]),
    ...bodyPart(attempt.responseExcerpt),
    ...nextPart(attempt),
  ];
  return [
    parts.join('  '),
    ...explanationLines(attempt).map((line) => `${INDENT}${dim(printable(line))}`),
  ];
}

function bodyPart(excerpt: string | null): string[] {
  const text = printable(excerpt ?? '').trim();
  if (text === '') return [];
  return [text.length > MAX_BODY_CHARACTERS ? `${text.slice(0, MAX_BODY_CHARACTERS)}…` : text];
}

function nextPart({ nextAttemptAt, deliveryStatus, startedAt }: Data<'attempt'>): string[] {
  if (deliveryStatus === 'ended') return ['not retried'];
  if (nextAttemptAt === null) return [];
  const seconds = (Date.parse(nextAttemptAt) - Date.parse(startedAt)) / 1000;
  return [`retry in ${Math.max(0, Math.round(seconds * 10) / 10)} s`];
}

/** The causes that the line of the attempt does not show by itself. */
const EXPLAINED: ReadonlySet<string> = new Set([
  'app_verification',
  'changed_request_accepted',
  'delivery_fault',
  'redirect',
  'target_refused',
  'wrong_signature',
]);

function explanationLines({ explanation }: Data<'attempt'>): string[] {
  if (explanation === null || !EXPLAINED.has(explanation.cause)) return [];
  return [explanation.evidence.join(' '), `Fix: ${explanation.fix}`];
}

function timeOf(iso: string): string {
  return iso.slice(11, 23);
}

/** Replaces what could change the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
}

/** A query can contain a token. */
function withoutQuery(url: string | null): string | null {
  return url?.replace(/\?.*$/s, '?…') ?? null;
}

function withoutSecrets(line: string): string {
  return line.replaceAll(/\b(whsec|hpk|hpc)_[\w+/=-]+/g, '$1_…');
}
