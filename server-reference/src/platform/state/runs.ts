import type { AutomationType, RunReview, RunStatus, RunUsage } from '@hookproof/spec';
import type { RunOrigin } from '@hookproof/spec/control';

import type { StoredFile } from './datasets.ts';
import type { AutomationId, RunId, TenantId, WorldId } from './ids.ts';

export type { RunStatus };

/** Where a run came from. Only a `top-level` run emits events. */
export type { RunOrigin };

/** What a run has used; the time is counted from the run itself. */
export type UsageRecord = Omit<RunUsage, 'durationMs'>;

/** A move that is still to come. */
export interface RunStep {
  status: RunStatus;
  /** ISO 8601. */
  at: string;
  /** Each of these replaces what the run has, when there. */
  output?: unknown;
  outputFiles?: StoredFile[];
  usage?: UsageRecord;
}

/** A run: the fields of the snapshot that events carry, and what only the server knows. */
export interface RunRecord {
  id: RunId;
  worldId: WorldId;
  tenantId: TenantId;
  automationId: AutomationId;
  type: AutomationType;
  status: RunStatus;
  triggerType: string;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  /** The full result, however large; absent until there is one. */
  output?: unknown;
  origin: RunOrigin;
  /** What it was started with; absent where nobody said. */
  input?: unknown;
  /** Files that it produced; `path` is the file name. */
  outputFiles: StoredFile[];
  usage: UsageRecord;
  /** The moves that it will make by itself, the next one first; empty for a run that is moved by hand. */
  scheduledTransitions: RunStep[];
  /** Every status the run has had, oldest first; the last one is `status`. */
  history: { status: RunStatus; at: string }[];
}

/** What people have said of a run. It lies apart from the run, which never changes once it has ended. */
export interface RunReviewRecord {
  /** The id of the run. */
  id: RunId;
  /** Null while there is none, or after it was cleared. */
  review: (RunReview & { id: string }) | null;
  /** Corrected files, and copies of output files; ordered by path, no path twice. */
  expectedFiles: StoredFile[];
}
