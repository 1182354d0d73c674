import type { RunSnapshot } from '@hookproof/spec';

import type { RunRecord } from '../state/run.ts';

/** The public view of a run, with its whole output if it has one. */
export function runSnapshot(run: RunRecord): RunSnapshot {
  return {
    id: run.id,
    automationId: run.automationId,
    type: run.type,
    status: run.status,
    triggerType: run.triggerType,
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    completedAt: run.completedAt,
    ...(run.output === undefined ? {} : { output: run.output }),
  };
}
