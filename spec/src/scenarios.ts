import type { EventDeliveryFaultOrder } from './generated/control-types.ts';
import type { RunStatus } from './generated/types.ts';

/** What a scenario sends, and what the app should respond. */
export interface Scenario {
  readonly name: string;
  readonly does: string;
  /** `2xx`: every event is accepted in the end. `4xx`: every faulty attempt is refused. */
  readonly expects: '2xx' | '4xx';
  /** How the receiver of this project responds. */
  readonly receiver: string;
  readonly automation: 'workflow' | 'agent';
  /** The first status, then every move. */
  readonly statuses: readonly [RunStatus, ...RunStatus[]];
  /** Applied to every delivery. */
  readonly fault?: EventDeliveryFaultOrder;
  /** The event that is sent a day later, by its place. */
  readonly missing?: number;
  readonly isReversed?: boolean;
  readonly output?: 'large' | 'omitted';
  /** An event of the Send test action. */
  readonly isTest?: boolean;
  /** All events have the same `createdAt`. No run does that reliably. */
  readonly isSimultaneous?: boolean;
  /** What no run has: these members replace those of each payload. */
  readonly replaced?: Readonly<Record<string, string>>;
}

const LINEAR = ['pending', 'running', 'finalizing', 'completed'] as const;
const ACCEPTED = { expects: '2xx', receiver: '2xx', automation: 'workflow' } as const;
const REFUSED = { expects: '4xx', automation: 'workflow', statuses: ['rejected'] } as const;

/** Bytes of text in an output: below and above 262,144 bytes, the sender's limit for a whole payload. */
const TEXT_BYTES = { large: 250_000, omitted: 300_000 } as const;
const SAMPLE_OUTPUT = { invoice: 'invoice-4711', total: 4711, currency: 'EUR' };

/**
 * Returns the output of a run of a scenario that succeeds. A scenario with a large output adds a member `text` of
 * 250,000 bytes; one whose event omits the output adds 300,000 bytes.
 *
 * @param given - the output without `text`; default: a sample
 * @example
 * ```ts
 * import { scenarioOutput, SCENARIOS } from '@hookproof/spec/scenarios';
 *
 * for (const scenario of SCENARIOS) console.log(scenario.name, scenarioOutput(scenario));
 * ```
 */
export function scenarioOutput(
  { output: size }: Scenario,
  given: unknown = SAMPLE_OUTPUT,
): unknown {
  if (size === undefined) return given;
  const members = typeof given === 'object' ? given : { given };
  return { ...members, text: 'x'.repeat(TEXT_BYTES[size]) };
}

/**
 * What happens to the events of a run, from the order of its statuses to faults of the network: every scenario of
 * `hookproof trigger` and of the dashboard. The first is the default.
 *
 * @example
 * ```ts
 * import { SCENARIOS } from '@hookproof/spec/scenarios';
 *
 * console.log(SCENARIOS.map(({ name, does }) => `${name}: ${does}`));
 * ```
 */
export const SCENARIOS: readonly Scenario[] = [
  {
    ...ACCEPTED,
    name: 'completed',
    does: 'a workflow run that succeeds with an output',
    statuses: LINEAR,
  },
  {
    ...ACCEPTED,
    name: 'agent',
    does: 'an agent run that succeeds with an output',
    automation: 'agent',
    statuses: ['created', ...LINEAR],
  },
  {
    ...ACCEPTED,
    name: 'waiting',
    does: 'a run that waits twice and resumes',
    statuses: ['pending', 'running', 'waiting', 'running', 'waiting', ...LINEAR.slice(1)],
  },
  {
    ...ACCEPTED,
    name: 'failed',
    does: 'a run that fails while it is running',
    statuses: ['pending', 'running', 'failed'],
  },
  {
    ...ACCEPTED,
    name: 'cancelled',
    does: 'a run that is cancelled while it is running',
    statuses: ['pending', 'running', 'cancelled'],
  },
  {
    ...ACCEPTED,
    name: 'rejected',
    does: 'a run that is refused before it starts',
    statuses: ['pending', 'rejected'],
  },
  {
    ...ACCEPTED,
    name: 'out-of-order',
    does: 'the events of a run in reverse order',
    statuses: LINEAR,
    isReversed: true,
  },
  {
    ...ACCEPTED,
    name: 'duplicates',
    does: 'each event twice at the same moment',
    statuses: LINEAR,
    fault: { name: 'duplicate' },
  },
  {
    ...ACCEPTED,
    name: 'duplicates-later',
    does: 'each event once more after a second',
    statuses: LINEAR,
    fault: { name: 'duplicate', apartMilliseconds: 1_000 },
  },
  {
    ...ACCEPTED,
    name: 'ties',
    does: 'events with the same createdAt, in reverse order',
    statuses: LINEAR,
    isReversed: true,
    isSimultaneous: true,
  },
  {
    ...ACCEPTED,
    name: 'gap',
    does: 'a run whose second event comes a day later',
    statuses: LINEAR,
    missing: 1,
  },
  {
    ...ACCEPTED,
    name: 'omitted-output',
    does: 'a run whose event omits the output, because it is too large',
    statuses: LINEAR,
    output: 'omitted',
  },
  {
    ...ACCEPTED,
    name: 'large',
    does: 'a run whose last event has an output of 250,000 bytes',
    statuses: LINEAR,
    output: 'large',
  },
  {
    ...ACCEPTED,
    name: 'test-event',
    does: 'an event of the Send test action, of a run that does not exist',
    statuses: ['pending'],
    isTest: true,
  },
  {
    ...ACCEPTED,
    name: 'unknown-type',
    does: 'an event of a type that the contract does not have',
    statuses: ['pending'],
    replaced: { type: 'run.archived' },
  },
  {
    ...ACCEPTED,
    name: 'unknown-version',
    does: 'an event of a later version of the contract',
    statuses: ['pending'],
    replaced: { apiVersion: '2030-01-01' },
  },
  {
    ...REFUSED,
    name: 'stale',
    does: 'a timestamp 10 minutes in the past; the retry has the current time',
    receiver: '425, then 2xx',
    fault: { name: 'stale-timestamp' },
  },
  {
    ...REFUSED,
    name: 'future',
    does: 'a timestamp 10 minutes in the future; the retry has the current time',
    receiver: '425, then 2xx',
    fault: { name: 'future-timestamp' },
  },
  {
    ...REFUSED,
    name: 'wrong-secret',
    does: 'a signature of another secret',
    receiver: '401',
    fault: { name: 'wrong-secret' },
  },
  {
    ...REFUSED,
    name: 'tampered',
    does: 'a body that was changed after it was signed',
    receiver: '401',
    fault: { name: 'tampered-body' },
  },
];
