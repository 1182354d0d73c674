import type { AutomationType, RunReview, RunStatus, RunUsage } from '@hookproof/spec';
import type { RunOrigin } from '@hookproof/spec/control';

import type { StoredFile } from './datasets.ts';
import type { AutomationId, RunId, TenantId, WorldId } from './ids.ts';

export type { RunStatus };

/** The origin of a run. Only a `top-level` run emits events. */
export type { RunOrigin };

/** The usage of a run. The duration is computed from the run. */
export type UsageRecord = Omit<RunUsage, 'durationMs'>;

/** A scheduled transition. */
export interface RunStep {
  status: RunStatus;
  /** ISO 8601. */
  at: string;
  /** If present, the output, files and usage replace those of the run. */
  output?: unknown;
  outputFiles?: StoredFile[];
  usage?: UsageRecord;
}

/** A run: the fields of the public snapshot and internal fields. */
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
  /** The full result of any size; absent until it exists. */
  output?: unknown;
  origin: RunOrigin;
  /** The input at the start; absent without one. */
  input?: unknown;
  /** The output files; `path` is the file name. */
  outputFiles: StoredFile[];
  usage: UsageRecord;
  /** The scheduled transitions, next first; empty for a run that is moved over the control interface. */
  scheduledTransitions: RunStep[];
  /** All statuses so far, oldest first. The last one equals `status`. */
  history: { status: RunStatus; at: string }[];
}

/** The review of a run, stored separately because an ended run is immutable. */
export interface RunReviewRecord {
  /** The id of the run. */
  id: RunId;
  /** Null without a review and after it was cleared. */
  review: (RunReview & { id: string }) | null;
  /** Corrected files and copied output files; ordered by unique path. */
  expectedFiles: StoredFile[];
}
