import type { AttemptRow } from '@hookproof/spec/control';

import type { Paint } from '../command-line/screen.ts';

const MAX_BODY_CHARACTERS = 120;
/** The column of the responses: as long as the longest event. */
const EVENT_WIDTH = 'run.status_changed finalizing'.length;

/** The causes that the line of an attempt does not show by itself. */
const EXPLAINED: ReadonlySet<string> = new Set([
  'app_verification',
  'changed_request_accepted',
  'delivery_fault',
  'no_response',
  'redirect',
  'target_refused',
  'unreachable',
  'wrong_signature',
]);

/** Whether the app responded 2xx. */
export function isAccepted({ status }: Pick<AttemptRow, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Returns the line of an attempt: event, response, time, body of a response that is not 2xx, next attempt. */
export function attemptLine(attempt: AttemptRow, { dim, green, red }: Paint): string {
  const { number, status, error, milliseconds, deliveryFault } = attempt;
  return [
    `  ${eventOf(attempt).padEnd(EVENT_WIDTH)} → ${(isAccepted(attempt) ? green : red)(String(status ?? error))}`,
    dim(`${milliseconds} ms`),
    ...(number > 1 ? [`attempt ${number}`] : []),
    ...saidPart(attempt),
    ...(deliveryFault === null ? [] : [`fault ${deliveryFault}`]),
    ...bodyPart(attempt.responseExcerpt),
    ...(attempt.trigger === 'duplicate' ? [] : nextPart(attempt)),
  ].join('  ');
}

/** The statuses with which our receiver says without a body what it did. */
const SAID: Readonly<Record<number, string>> = { 200: 'duplicate', 202: 'accepted' };

/** Returns what a receiver of ours said with its status; nothing for a response that cannot be from one. */
export function saidPart({ status, responseExcerpt, number }: AttemptRow): string[] {
  const said = SAID[status ?? 0];
  if (said === undefined || (responseExcerpt ?? '') !== '') return [];
  // Another app responds 200 to the first attempt too.
  return said === 'duplicate' && number === 1 ? [] : [said];
}

/** Returns why an attempt ended as it did, and the fix, if its line does not show it. */
export function explanationLines({ explanation }: AttemptRow): string[] {
  if (explanation === null || !EXPLAINED.has(explanation.cause)) return [];
  return [explanation.evidence.join(' '), `Fix: ${explanation.fix}`].map(onOneLine);
}

/** Returns the members of an attempt for a line of JSON. */
export function attemptJson(attempt: AttemptRow): object {
  return { event: 'attempt', ...attempt };
}

function eventOf({ type, runStatus, runId }: AttemptRow): string {
  const name = onOneLine(type) || 'an event without a type';
  const status = runStatus === null ? '' : ` ${runStatus}`;
  return runId === null ? `${name} (test)` : name + status;
}

/** Returns the beginning of the body of a response that is not 2xx; nothing if it is empty. */
export function bodyPart(excerpt: string | null): string[] {
  const text = onOneLine(excerpt ?? '').trim();
  if (text === '') return [];
  return [text.length > MAX_BODY_CHARACTERS ? `${text.slice(0, MAX_BODY_CHARACTERS)}…` : text];
}

/** Returns what follows an attempt; nothing after a 2xx. */
export function nextPart({ nextAttemptAt, deliveryStatus, startedAt }: AttemptRow): string[] {
  if (deliveryStatus === 'ended') return ['not retried'];
  if (nextAttemptAt === null) return [];
  const seconds = (Date.parse(nextAttemptAt) - Date.parse(startedAt)) / 1000;
  return [`retry in ${Math.max(0, Math.round(seconds * 10) / 10)} s`];
}

/** Puts a text on one line. */
export function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** Returns a URL for the screen: a query can contain a token. */
export function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, '?…');
}
