import { SECRET_PREFIX } from '@hookproof/spec';
import { RECEIVER_FIXES, REFUSAL_FIX } from '@hookproof/spec/control';
import type { AttemptExplanation } from '@hookproof/spec/control';

import { isoTime } from '../../clock/clock.ts';
import { whatFollows } from './explained-attempt.ts';
import type { ExplainedAttempt } from './explained-attempt.ts';

const LOG_FIX = 'Look into the log of the app.';
const CLOCK_FIX = 'Compare the clock of the app with that of the server, which can be virtual.';
/** Of a shorter secret, no character is shown. */
const MIN_MASKED_CHARACTERS = 16;
/** By the final statuses whose reason is usually known. */
const FINAL_FIXES: Readonly<Record<number, string>> = {
  400: 'Look into the log of the app. If it responds 400 to a wrong signature, check its secret, and verify the bytes as received.',
  404: 'Set the URL of the endpoint to the webhook route of the app.',
  405: 'Let the webhook route of the app accept POST.',
  410: 'Set the URL of the endpoint to the webhook route of the app.',
  413: 'Raise the body limit of the app, or of the proxy before it.',
  415: 'Let the webhook route of the app accept application/json.',
};

/** Returns why an app did not accept a correct request, by a status that is not 2xx. */
export function explainStatus(status: number, explained: ExplainedAttempt): AttemptExplanation {
  const code = codeOf(explained.attempt.responseBody);
  const response = `The app responded ${status}${code === null ? '' : ` (${code})`}.`;
  if (status >= 300 && status < 400) {
    const fix = 'Set the URL of the endpoint to the final address.';
    return { cause: 'redirect', evidence: [`${response} A redirect is not followed.`], fix };
  }
  const outcome = `${response} ${whatFollows(explained)}`;
  if (status === 401 || status === 403 || status === 425) {
    return explainVerification(status, code, outcome, explained);
  }
  const isFailure = status >= 500 || status === 408 || status === 429;
  return {
    cause: isFailure ? 'app_failed' : 'app_refused',
    evidence: [outcome],
    fix: RECEIVER_FIXES.get(code ?? '') ?? FINAL_FIXES[status] ?? LOG_FIX,
  };
}

function explainVerification(
  status: number,
  code: string | null,
  outcome: string,
  explained: ExplainedAttempt,
): AttemptExplanation {
  const known = RECEIVER_FIXES.get(code ?? '');
  const isTime = status === 425 || /timestamp|time|clock|expired/.test(code ?? '');
  if (known === undefined && !isTime) {
    const evidence = [requestEvidence(explained), strangerEvidence(explained.attempt), outcome];
    return { cause: 'app_refused', evidence, fix: REFUSAL_FIX };
  }
  const compared = isTime ? [timeEvidence(explained.attempt)] : [];
  return {
    cause: 'app_verification',
    evidence: [requestEvidence(explained), ...compared, outcome],
    fix: known ?? CLOCK_FIX,
  };
}

function requestEvidence({ sent, currentSecret }: ExplainedAttempt): string {
  if (sent === null) return 'No delivery fault changed the request.';
  const bytes = sent.sent.body.byteLength;
  const change = currentSecret === sent.secret ? '' : ', which has changed since';
  return `The request was correct: its signature matches the ${bytes} bytes sent and the secret of ${endpointOf(sent.url)} (${masked(sent.secret)})${change}.`;
}

/** Returns enough of a secret to compare it with that of the app. */
function masked(secret: string): string {
  const end = secret.length < MIN_MASKED_CHARACTERS ? '' : secret.slice(-4);
  return `${SECRET_PREFIX}…${end}, ${secret.length} characters`;
}

function timeEvidence({ webhookTimestamp, startedAt }: ExplainedAttempt['attempt']): string {
  const signed = webhookTimestamp === null ? 'none' : isoTime(webhookTimestamp * 1000);
  return `It was signed for ${signed} and sent at ${startedAt}, by the clock of the server.`;
}

/** Only a code is the word of the receiver: a login, a filter or the app itself wrote any other response. */
function strangerEvidence({ responseBody }: ExplainedAttempt['attempt']): string {
  const isPage = /^\s*</.test(responseBody ?? '');
  const response = isPage ? 'The response is a page' : 'The response names no code';
  return `${response}, so it is not that of the receiver.`;
}

/** A query can contain a token. */
function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `the endpoint ${origin}${pathname}`;
}

/** The receiver of this project, and many apps, name the reason in `code`. */
function codeOf(responseBody: string | null): string | null {
  try {
    const read: unknown = JSON.parse(responseBody ?? '');
    const code: unknown = typeof read === 'object' && read !== null ? Reflect.get(read, 'code') : 0;
    return typeof code === 'string' && /^[a-z][a-z_.-]{0,59}$/.test(code) ? code : null;
  } catch {
    return null;
  }
}
