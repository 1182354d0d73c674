import { RECEIVER_FIXES } from '@hookproof/spec/control';
import type { AttemptRow } from '@hookproof/spec/control';

import type { Paint } from '../command-line/screen.ts';
import { safeLine } from '../command-line/visible.ts';

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

/**
 * Returns the line of an attempt: event, response, time, body of a response that is not 2xx, next attempt.
 *
 * @param isOfMany - whether it names the endpoint
 */
export function attemptLine(attempt: AttemptRow, paint: Paint, isOfMany: boolean = false): string {
  const event = `  ${eventOf(attempt).padEnd(EVENT_WIDTH)} → `;
  const url = shownUrl(attempt.url);
  const parts = [
    ...responseParts(attempt, paint),
    ...(isOfMany && url !== null ? [{ text: url }] : []),
  ];
  return event + rowOf(parts);
}

/** A part of a line, and how it is painted. */
export interface Part {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** Joins the parts of a line. What looks like a secret is hidden. */
export function rowOf(parts: readonly Part[]): string {
  return parts.map(({ text, paint }) => paint?.(safeLine(text)) ?? safeLine(text)).join('  ');
}

/** Returns the parts of a line that show a response, and what follows it. */
export function responseParts(attempt: AttemptRow, { dim, green, red }: Paint): Part[] {
  const { number, status, error, milliseconds, deliveryFault, responseExcerpt } = attempt;
  return [
    { text: String(status ?? error), paint: isAccepted(attempt) ? green : red },
    { text: `${milliseconds} ms`, paint: dim },
    ...(number > 1 ? [{ text: `attempt ${number}` }] : []),
    ...saidPart(attempt).map((text) => ({ text })),
    ...(deliveryFault === null ? [] : [{ text: `fault ${deliveryFault}` }]),
    ...refusalPart(responseExcerpt).map((text) => ({ text })),
    ...nextPart(attempt).map((text) => ({ text })),
  ];
}

/** A body that has a code and nothing else, such as that of our receiver. */
const ONLY_CODE = /^\s*\{\s*"code"\s*:\s*"(\w+)"\s*\}\s*$/;

/** Returns the code of a JSON body; null for any other body. */
function codeOf(excerpt: string | null): string | null {
  return /^\s*\{\s*"code"\s*:\s*"(\w+)"/.exec(excerpt ?? '')?.[1] ?? null;
}

/** Returns how an attempt failed: the same for those that fail in the same way. */
export function failureOf({ status, error, responseExcerpt }: AttemptRow): string {
  const code = codeOf(responseExcerpt);
  return `${status ?? error}${code === null ? '' : ` ${code}`}`;
}

/** Returns what to do about a response of our receiver; null if a body is not one of its failures. */
export function receiverFix(excerpt: string | null): string | null {
  return RECEIVER_FIXES.get(codeOf(excerpt) ?? '') ?? null;
}

/** The statuses with which our receiver says without a body what it did. */
const SAID: Readonly<Record<number, string>> = { 200: 'duplicate', 202: 'accepted' };

/** Returns what a receiver of ours said with its status; nothing for a response that cannot be from one. */
export function saidPart({ status, responseExcerpt, number, deliveryFault }: AttemptRow): string[] {
  const said = SAID[status ?? 0];
  if (said === undefined || (responseExcerpt ?? '') !== '') return [];
  // Another app responds 200 to the first attempt too.
  return said === 'duplicate' && number === 1 && deliveryFault !== 'duplicate' ? [] : [said];
}

/** Returns why an attempt ended as it did, and the fix, if its line does not show it. */
export function explanationLines({ explanation, responseExcerpt }: AttemptRow): string[] {
  if (explanation === null) return [];
  const { cause, evidence, fix } = explanation;
  const isExplained = EXPLAINED.has(cause);
  // The line shows the status and the code, which are the cause.
  const hasFix = cause === 'app_refused' || receiverFix(responseExcerpt) !== null;
  if (!isExplained && !hasFix) return [];
  return [...(isExplained ? [evidence.join(' ')] : []), `Fix: ${fix}`].map(onOneLine);
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

/** Returns the code of a body that has nothing else, or the beginning of the body. */
function refusalPart(excerpt: string | null): string[] {
  const code = ONLY_CODE.exec(excerpt ?? '')?.[1];
  return code === undefined ? bodyPart(excerpt) : [code];
}

/** Returns the beginning of the body of a response that is not 2xx; nothing if it is empty. */
export function bodyPart(excerpt: string | null): string[] {
  const text = onOneLine(excerpt ?? '').trim();
  if (text === '') return [];
  return [text.length > MAX_BODY_CHARACTERS ? `${text.slice(0, MAX_BODY_CHARACTERS)}…` : text];
}

/** Returns what follows an attempt; nothing after a 2xx. */
function nextPart(attempt: AttemptRow): string[] {
  const { nextAttemptAt, deliveryStatus, startedAt } = attempt;
  // Another redelivery can be due, which is not a retry.
  if (isAccepted(attempt)) return [];
  if (deliveryStatus === 'ended') return ['not retried'];
  if (nextAttemptAt === null) return [];
  const seconds = (Date.parse(nextAttemptAt) - Date.parse(startedAt)) / 1000;
  return [`retry in ${Math.max(0, Math.round(seconds * 10) / 10)} s`];
}

/** Returns the host and port of an endpoint; null if it was deleted. */
export function hostOf(url: string | null): string | null {
  return url === null || !URL.canParse(url) ? null : new URL(url).host;
}

/** Returns the URL of an endpoint for the screen; null if it was deleted. */
export function shownUrl(url: string | null): string | null {
  return url === null ? null : withoutQuery(url);
}

/** Puts a text on one line. */
function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** Returns a URL for the screen: a query can contain a token. */
export function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, '?…');
}
