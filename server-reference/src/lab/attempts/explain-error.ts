import type { AttemptExplanation } from '@hookproof/spec/control';

import { ATTEMPT_DEADLINE_MILLISECONDS } from '../../events/attempt.ts';
import { TARGET_REFUSED } from '../../events/target.ts';
import { whatFollows } from './explained-attempt.ts';
import type { ExplainedAttempt } from './explained-attempt.ts';

type Known = readonly [cause: AttemptExplanation['cause'], evidence: string, fix: string];

const START = 'Start the app, or correct the URL of the endpoint.';
const KNOWN: Readonly<Record<string, Known>> = {
  ECONNREFUSED: ['unreachable', 'Nothing listens at the host and port of the URL.', START],
  ENOTFOUND: ['unreachable', 'The host of the URL has no address.', 'Correct the URL.'],
  EAI_AGAIN: ['unreachable', 'The host of the URL could not be looked up.', 'Correct the URL.'],
  EHOSTUNREACH: ['unreachable', 'No route leads to the host of the URL.', 'Correct the URL.'],
  ENETUNREACH: ['unreachable', 'No route leads to the network of the URL.', 'Correct the URL.'],
  timeout: [
    'no_response',
    `No complete response came within ${ATTEMPT_DEADLINE_MILLISECONDS / 1000} s.`,
    'Respond as soon as the event is stored, and do the work afterwards.',
  ],
  ECONNRESET: [
    'no_response',
    'The app closed the connection without a complete response.',
    'Look into the log of the app: a crash or a limit of a proxy closes connections.',
  ],
  [TARGET_REFUSED]: [
    'target_refused',
    'The server does not send to this target.',
    'Use another URL. The rules are in GET /targets of the control interface.',
  ],
};
const TLS: Known = [
  'unreachable',
  'The TLS handshake failed.',
  'Use http for a local app, or set NODE_EXTRA_CA_CERTS to the certificate of its authority.',
];

/** Returns why an attempt got no response. */
export function explainError(explained: ExplainedAttempt): AttemptExplanation {
  const { error, detail } = explained.attempt;
  const code = error ?? 'no_response';
  const other: Known = ['no_response', `The attempt ended with ${code}.`, START];
  const isTls = /CERT|SSL|TLS|SIGNATURE/.test(code);
  const [cause, evidence, fix] = KNOWN[code] ?? (isTls ? TLS : other);
  const message = detail === null ? [] : [detail.endsWith('.') ? detail : `${detail}.`];
  return { cause, evidence: [evidence, ...message, whatFollows(explained)], fix };
}
