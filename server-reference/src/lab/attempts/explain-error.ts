import { CONNECTION_PROBLEMS } from '@hookproof/spec/control';
import type { AttemptExplanation } from '@hookproof/spec/control';

import { ATTEMPT_DEADLINE_MILLISECONDS } from '../../events/attempt.ts';
import { TARGET_REFUSED } from '../../events/target.ts';
import { whatFollows } from './explained-attempt.ts';
import type { ExplainedAttempt } from './explained-attempt.ts';

type Known = readonly [cause: AttemptExplanation['cause'], evidence: string, fix: string];

const START = 'Start the app, or correct the URL of the endpoint.';
const KNOWN: Readonly<Record<string, Known>> = {
  timeout: [
    'no_response',
    `No complete response came within ${ATTEMPT_DEADLINE_MILLISECONDS / 1000} s.`,
    'Respond as soon as the event is stored, and do the work afterwards.',
  ],
  ECONNRESET: [
    'no_response',
    'The app closed the connection without a complete response.',
    'Look into the log of the app: a crash or a limit of a proxy closes connections. A port that speaks TLS needs https in the URL.',
  ],
  [TARGET_REFUSED]: [
    'target_refused',
    'The server does not send to this target.',
    'Use another URL: not one of this server, and none at which a cloud serves credentials.',
  ],
};

/** Returns why an attempt got no response. */
export function explainError(explained: ExplainedAttempt): AttemptExplanation {
  const { error, detail } = explained.attempt;
  const code = error ?? 'no_response';
  const other: Known = ['no_response', `The attempt ended with ${code}.`, START];
  const problem = CONNECTION_PROBLEMS.get(code);
  const unreachable: Known | undefined = problem && ['unreachable', problem.evidence, problem.fix];
  const [cause, evidence, fix] = KNOWN[code] ?? unreachable ?? other;
  const message = detail === null ? [] : [`${detail.replace(/\.$/, '')}.`];
  return { cause, evidence: [evidence, ...message, whatFollows(explained)], fix };
}
