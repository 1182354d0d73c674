import type { Activity } from '@hookproof/server-reference';

import { AFTER_TIME, timeOfDay } from '../../command-line/screen.ts';
import type { Paint } from '../../command-line/screen.ts';
import {
  bodyPart,
  explanationLines,
  nextPart,
  onOneLine,
  withoutQuery,
} from '../../running/attempt-line.ts';

/** How `serve` shows requests and attempts. */
export type LogFormat = 'text' | 'json';

type Data<Event extends Activity['event']> = Extract<Activity, { event: Event }>['data'];

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
  return 'url' in data ? { ...data, url: shownUrl(data.url) } : data;
}

function requestLines(request: Data<'request'>, { dim, green, yellow, red }: Paint): string[] {
  const { at, method, path, status, milliseconds, refusedAt, code } = request;
  const color = status === null || status >= 500 ? red : status >= 400 ? yellow : green;
  const parts = [
    dim(timeOfDay(at)),
    method,
    onOneLine(path),
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
    dim(timeOfDay(startedAt)),
    onOneLine(`→ ${type}${runStatus === null ? '' : ` ${runStatus}`}`),
    onOneLine(runId ?? 'test event'),
    shownUrl(url) ?? 'deleted endpoint',
    (isDelivered ? green : red)(String(status ?? error)),
    dim(`${milliseconds} ms`),
    ...(attempt.deliveryFault === null ? [] : [`fault ${attempt.deliveryFault}`]),
    ...bodyPart(attempt.responseExcerpt),
    ...nextPart(attempt),
  ];
  return [
    parts.join('  '),
    ...explanationLines(attempt).map((line) => `${' '.repeat(AFTER_TIME)}${dim(line)}`),
  ];
}

function shownUrl(url: string | null): string | null {
  return url === null ? null : withoutQuery(url);
}

function withoutSecrets(line: string): string {
  return line.replaceAll(/\b(whsec|hpk|hpc)_[\w+/=-]+/g, '$1_…');
}
