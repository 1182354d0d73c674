import type { RunSnapshot } from '@hookproof/spec';

import type { DeepReadonly } from '../store/read-only.ts';
import type { RunRecord } from '../store/runs.ts';

/** Returns a run as the API shows it, with its output if it has one. */
export function runSnapshot(run: DeepReadonly<RunRecord>): RunSnapshot {
  const snapshot = runWithoutOutput(run);
  return run.output === undefined ? snapshot : { ...snapshot, output: run.output };
}

/** Returns a run as lists show it. */
export function runWithoutOutput(run: DeepReadonly<RunRecord>): Omit<RunSnapshot, 'output'> {
  return {
    id: run.id,
    automationId: run.automationId,
    type: run.type,
    status: run.status,
    triggerType: run.triggerType,
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    completedAt: run.completedAt,
  };
}
