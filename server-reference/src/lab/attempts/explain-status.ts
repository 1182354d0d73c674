import type { AttemptExplanation } from '@hookproof/spec/control';

import { isoTime } from '../../clock/clock.ts';
import type { ExplainedAttempt } from './explained-attempt.ts';

const LOG_FIX = 'Look into the log of the app.';
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
  const { attempt, endpointId } = explained;
  const code = codeOf(attempt.responseBody);
  const response = `The app responded ${status}${code === null ? '' : ` (${code})`}.`;
  if (status >= 300 && status < 400) {
    const fix = 'Set the URL of the endpoint to the final address.';
    return { cause: 'redirect', evidence: [`${response} A redirect is not followed.`], fix };
  }
  if (status === 401 || status === 403 || status === 425) {
    const evidence = [requestEvidence(explained), response];
    const isTime = status === 425 || /timestamp|time|clock|expired/.test(code ?? '');
    if (!isTime) return { cause: 'app_verification', evidence, fix: secretFix(code, endpointId) };
    evidence.splice(1, 0, timeEvidence(attempt));
    const fix = 'Compare the clock of the app with that of the server, which can be virtual.';
    return { cause: 'app_verification', evidence, fix };
  }
  if (status >= 500 || status === 408 || status === 429) {
    return { cause: 'app_failed', evidence: [`${response} It is retried.`], fix: LOG_FIX };
  }
  const fix = FINAL_FIXES[status] ?? LOG_FIX;
  return { cause: 'app_refused', evidence: [`${response} It is not retried.`], fix };
}

function requestEvidence({ sent, endpointId, currentSecret }: ExplainedAttempt): string {
  if (sent === null) return 'No delivery fault changed the request.';
  const bytes = sent.sent.body.byteLength;
  const change = currentSecret === sent.secret ? '' : ', which has changed since';
  return `The request was correct: its signature matches the ${bytes} bytes sent and the secret of endpoint ${endpointId}${change}.`;
}

function timeEvidence({ webhookTimestamp, startedAt }: ExplainedAttempt['attempt']): string {
  const signed = webhookTimestamp === null ? 'none' : isoTime(webhookTimestamp * 1000);
  return `It was signed for ${signed} and sent at ${startedAt}, by the clock of the server.`;
}

function secretFix(code: string | null, endpointId: string): string {
  if (code?.startsWith('header_') === true || code?.endsWith('_malformed') === true) {
    return 'Pass all headers of the request unchanged, and let no proxy drop, join or repeat them.';
  }
  return `Set the secret of the app to that of endpoint ${endpointId}, and verify the bytes as received, before a parser (express.raw(), request.arrayBuffer()).`;
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
