import type { RunStatus } from '@hookproof/spec';

/**
 * Which status a run may move to from which. The contract leaves this open; the reference also lets a
 * run fail from `running` and `waiting`, because an error or a timeout does not wait for the finalizing.
 */
export const RUN_TRANSITIONS: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  created: ['pending', 'cancelled', 'rejected'],
  pending: ['running', 'cancelled', 'rejected'],
  running: ['waiting', 'finalizing', 'failed', 'cancelled'],
  waiting: ['running', 'finalizing', 'failed', 'cancelled'],
  finalizing: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
  rejected: [],
};

/** Whether the graph has this move. */
export function canMove(from: RunStatus, to: RunStatus): boolean {
  return RUN_TRANSITIONS[from].includes(to);
}

/** A terminal status is one that nothing leads out of. */
export function isTerminal(status: RunStatus): boolean {
  return RUN_TRANSITIONS[status].length === 0;
}

const AFTER_START: ReadonlySet<RunStatus> = new Set([
  'running',
  'waiting',
  'finalizing',
  'completed',
  'failed',
]);

/** Whether a run in this status must have been started by a worker. */
export function impliesStart(status: RunStatus): boolean {
  return AFTER_START.has(status);
}

/** A move that the graph does not have. */
export class RunTransitionError extends Error {
  override readonly name = 'RunTransitionError';

  constructor(from: RunStatus, to: RunStatus) {
    const allowed = RUN_TRANSITIONS[from];
    super(
      `a run cannot move from ${from} to ${to}: ` +
        (allowed.length === 0 ? `${from} is terminal` : `allowed are ${allowed.join(', ')}`),
    );
  }
}
