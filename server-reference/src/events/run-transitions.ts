import type { RunStatus } from '@hookproof/spec';

/**
 * The next statuses of each status. The contract leaves them open. Here a run can also fail from `running`
 * and `waiting`, because an error or timeout can occur before `finalizing`.
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

/** Returns whether a run may move from one status to the other. */
export function canMove(from: RunStatus, to: RunStatus): boolean {
  return RUN_TRANSITIONS[from].includes(to);
}

/** Returns whether a status has no next status. */
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

/** Returns whether a run in this status has started. */
export function impliesStart(status: RunStatus): boolean {
  return AFTER_START.has(status);
}

/** The error for a transition that {@link RUN_TRANSITIONS} does not have. */
export class RunTransitionError extends Error {
  override readonly name = 'RunTransitionError';

  constructor(from: RunStatus, to: RunStatus) {
    const allowed = RUN_TRANSITIONS[from];
    super(
      `a run cannot move from ${from} to ${to}: ` +
        (allowed.length === 0 ? `${from} is terminal` : `expected one of ${allowed.join(', ')}`),
    );
  }
}
