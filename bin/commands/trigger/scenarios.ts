import type { RunStatus } from '@hookproof/spec';

/** A run whose events a scenario sends. */
export interface Scenario {
  readonly name: string;
  readonly does: string;
  readonly automation: 'workflow' | 'agent';
  /** The first status, then every move. */
  readonly statuses: readonly [RunStatus, ...RunStatus[]];
}

/** Every scenario. The first is the default. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'completed',
    does: 'a workflow run that succeeds with an output',
    automation: 'workflow',
    statuses: ['pending', 'running', 'finalizing', 'completed'],
  },
  {
    name: 'agent',
    does: 'an agent run that succeeds with an output',
    automation: 'agent',
    statuses: ['created', 'pending', 'running', 'finalizing', 'completed'],
  },
  {
    name: 'waiting',
    does: 'a run that waits twice and resumes',
    automation: 'workflow',
    statuses: [
      'pending',
      'running',
      'waiting',
      'running',
      'waiting',
      'running',
      'finalizing',
      'completed',
    ],
  },
  {
    name: 'failed',
    does: 'a run that fails while it is running',
    automation: 'workflow',
    statuses: ['pending', 'running', 'failed'],
  },
  {
    name: 'cancelled',
    does: 'a run that is cancelled while it is running',
    automation: 'workflow',
    statuses: ['pending', 'running', 'cancelled'],
  },
  {
    name: 'rejected',
    does: 'a run that is refused before it starts',
    automation: 'workflow',
    statuses: ['pending', 'rejected'],
  },
];

/** The output of a run that succeeds. */
export const OUTPUT = { invoice: 'invoice-4711', total: 4711, currency: 'EUR' };
