import {
  API_VERSION,
  EVENT_ID_PREFIX,
  RUN_STATUSES,
  SECRET_PREFIX,
  SIGNATURE_HEADERS,
  SIGNATURE_PREFIX,
  TERMINAL_RUN_STATUSES,
  TIMESTAMP_TOLERANCE_SECONDS,
} from '@hookproof/spec';
import type { Step } from './types/step.ts';

/** The constants of the contract that the receiver uses, with the description of each. */
const CONSTANTS = [
  ['API_VERSION', API_VERSION, 'The current `apiVersion` of events.'],
  ['EVENT_ID_PREFIX', EVENT_ID_PREFIX, 'Prefix of every event ID.'],
  ['SECRET_PREFIX', SECRET_PREFIX, 'Prefix of every endpoint secret.'],
  ['SIGNATURE_PREFIX', SIGNATURE_PREFIX, 'Prefix of the hex digest in the signature header.'],
  ['SIGNATURE_HEADERS', SIGNATURE_HEADERS, 'Names of the three signature headers.'],
  [
    'TIMESTAMP_TOLERANCE_SECONDS',
    TIMESTAMP_TOLERANCE_SECONDS,
    "Maximum difference between `webhook-timestamp` and the receiver's clock, in seconds.",
  ],
  ['RUN_STATUSES', RUN_STATUSES, 'Every status of a run, in the usual order.'],
  ['TERMINAL_RUN_STATUSES', TERMINAL_RUN_STATUSES, 'The terminal run statuses.'],
] as const;

const BANNER = '// Generated from spec/src/index.ts by `npm run generate`. Do not edit.';

const TERMINAL_TYPE = `/** One of the four terminal run statuses. */
export type TerminalRunStatus = (typeof TERMINAL_RUN_STATUSES)[number];`;

/** Generates the constants for the receiver, which depends on no other package. */
export const receiverConstants: Step = {
  output: '../receiver/src/generated/constants.ts',
  render: async () => {
    const texts = CONSTANTS.map(
      ([name, value, description]) =>
        `/** ${description} */\nexport const ${name} = ${JSON.stringify(value, null, 2)}${
          typeof value === 'object' ? ' as const' : ''
        };`,
    );
    return `${[BANNER, ...texts, TERMINAL_TYPE].join('\n\n')}\n`;
  },
};
