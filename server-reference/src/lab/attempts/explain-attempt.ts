import { SIGNATURE_HEADERS, TIMESTAMP_TOLERANCE_SECONDS } from '@hookproof/spec';
import type { AttemptExplanation } from '@hookproof/spec/control';

import { sign } from '../../events/signed-headers.ts';
import { explainError } from './explain-error.ts';
import { explainStatus } from './explain-status.ts';
import type { ExplainedAttempt } from './explained-attempt.ts';
import type { SentRequest } from './sent-requests.ts';

/** What each delivery fault does that changes the signed request. */
const CHANGES: Readonly<Record<string, string>> = {
  'stale-timestamp': 'signed the request with a time in the past',
  'future-timestamp': 'signed the request with a time in the future',
  'wrong-secret': 'signed the request with another secret',
  'tampered-body': 'changed the body after it was signed',
};
/** What each delivery fault does that prevents a response, or delays it. */
const OBSTACLES: Readonly<Record<string, string>> = {
  'drop-then-redeliver': 'dropped the request before it was sent',
  'truncated-body': 'closed the connection before the end of the body',
  'slow-drip': 'sent the body in pieces, spread over time',
};
/** The statuses by which an app refuses a request that it does not trust. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 422, 425]);
const VERIFY_FIX =
  'Respond 2xx only after you have verified webhook-signature over the received bytes, and webhook-timestamp.';

/**
 * Returns why an attempt ended as it did, from what was sent and what came back; null if a correct request was
 * accepted. The result contains no part of a body, and of a secret only the last characters.
 */
export function explainAttempt(explained: ExplainedAttempt): AttemptExplanation | null {
  const { attempt, sent } = explained;
  const { status, deliveryFault } = attempt;
  const obstacle = OBSTACLES[deliveryFault ?? ''];
  if (obstacle !== undefined && (status === null || status === 408)) {
    return byFault(attempt, obstacle, 'The request did not arrive complete and in time.');
  }
  if (status === null) return explainError(explained);
  const isAccepted = status >= 200 && status < 300;
  const change = changeOf(attempt);
  if (change !== null) {
    const evidence = `The delivery fault ${deliveryFault} ${change}.`;
    if (isAccepted) return acceptedChange(evidence, status);
    if (REFUSALS.has(status)) return byFault(attempt, change, `The app responded ${status}.`);
  } else if (sent !== null && !isSignedRight(sent)) {
    const evidence = 'The sent signature does not match the sent bytes and the secret.';
    if (isAccepted) return acceptedChange(evidence, status);
    return {
      cause: 'wrong_signature',
      evidence: [evidence, `The app responded ${status}.`],
      fix: `The sender is wrong, not the app. Run the server without --defect.`,
    };
  }
  return isAccepted ? null : explainStatus(status, explained);
}

/** A stale or future time within the tolerance is no reason to refuse. */
function changeOf({
  deliveryFault,
  webhookTimestamp,
  startedAt,
}: ExplainedAttempt['attempt']): string | null {
  if (deliveryFault === null || webhookTimestamp === null) return null;
  const seconds = Math.abs(Math.floor(Date.parse(startedAt) / 1000) - webhookTimestamp);
  if (!deliveryFault.endsWith('-timestamp')) return CHANGES[deliveryFault] ?? null;
  if (seconds <= TIMESTAMP_TOLERANCE_SECONDS) return null;
  return `${CHANGES[deliveryFault]} (${seconds} s, tolerance ${TIMESTAMP_TOLERANCE_SECONDS} s)`;
}

function byFault(
  { deliveryFault }: ExplainedAttempt['attempt'],
  what: string,
  result: string,
): AttemptExplanation {
  return {
    cause: 'delivery_fault',
    evidence: [`The delivery fault ${deliveryFault} ${what}.`, result],
    fix: 'Nothing to fix in the app. A redelivery sends the original request.',
  };
}

function acceptedChange(evidence: string, status: number): AttemptExplanation {
  return {
    cause: 'changed_request_accepted',
    evidence: [evidence, `The app responded ${status}, but has to refuse this request.`],
    fix: VERIFY_FIX,
  };
}

function isSignedRight({ sent: { headers, body }, secret }: Pick<SentRequest, 'sent' | 'secret'>) {
  const id = headers[SIGNATURE_HEADERS.id] ?? '';
  const timestamp = Number(headers[SIGNATURE_HEADERS.timestamp]);
  return headers[SIGNATURE_HEADERS.signature] === sign(secret, { id, timestamp, payload: body });
}
