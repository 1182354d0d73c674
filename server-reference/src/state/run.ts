import type { AutomationType, RunStatus } from '@hookproof/spec';

export type { RunStatus };

/** Where a run came from. Only a `top-level` run emits events. */
export type RunOrigin = 'top-level' | 'invoke-workflow' | 'evaluation';

/** A run: the fields of the snapshot that events carry, and what only the server knows. */
export interface RunRecord {
  id: string;
  worldId: string;
  tenantId: string;
  automationId: string;
  type: AutomationType;
  status: RunStatus;
  triggerType: string;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  /** The full result, however large; absent until there is one. */
  output?: unknown;
  origin: RunOrigin;
  /** Every status the run has had, oldest first; the last one is `status`. */
  history: { status: RunStatus; at: string }[];
}
