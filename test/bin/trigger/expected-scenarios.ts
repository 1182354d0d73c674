import { inProcess } from './in-process.ts';
import { SECRET } from './apps.ts';

const LINEAR = ['pending', 'running', 'finalizing', 'completed'];
const WAITING = ['pending', 'running', 'waiting', 'running', 'waiting', ...LINEAR.slice(1)];

/** What a scenario of the command does. */
export interface Expectation {
  /** What arrives, in order. */
  readonly arrived: string[];
  /** How often each is sent. */
  readonly copies?: number;
  /** The statuses of the receiver, where they are no 2xx. */
  readonly receiver?: string[];
  /** What ordered handlers see. Default: `arrived`. */
  readonly handled?: string[];
}

export const SCENARIOS: Record<string, Expectation> = {
  completed: { arrived: LINEAR },
  agent: { arrived: ['created', ...LINEAR] },
  waiting: { arrived: WAITING },
  failed: { arrived: ['pending', 'running', 'failed'] },
  cancelled: { arrived: ['pending', 'running', 'cancelled'] },
  rejected: { arrived: ['pending', 'rejected'] },
  'out-of-order': { arrived: LINEAR.toReversed(), handled: LINEAR },
  duplicates: { arrived: LINEAR, copies: 2 },
  'duplicates-later': { arrived: LINEAR, copies: 2 },
  ties: { arrived: LINEAR.toReversed(), handled: LINEAR },
  gap: { arrived: ['pending', 'finalizing', 'completed'] },
  'omitted-output': { arrived: LINEAR },
  large: { arrived: LINEAR },
  'test-event': { arrived: ['pending'], handled: ['test'] },
  'unknown-type': { arrived: ['pending'], handled: ['unknown'] },
  'unknown-version': { arrived: ['pending'] },
  stale: { arrived: [], receiver: ['425', '202'], handled: ['rejected'] },
  future: { arrived: [], receiver: ['425', '202'], handled: ['rejected'] },
  'wrong-secret': { arrived: [], receiver: ['401'], handled: [] },
  tampered: { arrived: [], receiver: ['401'], handled: [] },
};

/** The statuses in a list of payloads, without repetitions of one event. */
export function arrivedIn(bodies: readonly Buffer[]): string[] {
  const events = bodies.map((body) => JSON.parse(body.toString()));
  const ids = events.map(({ id }) => id);
  return events.filter(({ id }, at) => ids.indexOf(id) === at).map(({ data }) => data.run.status);
}

/** Sends a scenario to an app without a server. */
export function to(
  url: string,
  ...args: string[]
): Promise<{ code: number | null; stdout: string }> {
  return inProcess(['trigger', ...args, '--to', url, '--secret', SECRET]);
}
