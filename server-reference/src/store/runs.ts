import type { AutomationType, ReviewCorrection, RunStatus, RunUsage } from '@hookproof/spec';
import type { RunOrigin } from '@hookproof/spec/control';

import type { EvaluationScore, RunOverrides } from '../generated/companions.ts';
import type { StoredFile } from './datasets.ts';
import type {
  AutomationId,
  ExampleId,
  ExperimentId,
  RunId,
  TenantId,
  UserId,
  VersionId,
  WorldId,
} from './ids.ts';
import type { DeepReadonly } from './read-only.ts';

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
  /** The results of the evaluators of an evaluation run. */
  scores?: EvaluationScore[];
}

/** The version that a run was made from. */
export interface RunVersion {
  id: VersionId;
  label: string;
  /** The text by which the caller named it; null for the current version. */
  requested: string | null;
  sourceRef: string | null;
  commit: string | null;
}

/** What an evaluation run is compared with. */
interface RunEvaluationRecord {
  exampleId: ExampleId;
  exampleName: string;
  /** Null for a single example. */
  experimentId: ExperimentId | null;
  /** The average score with which the run passes. */
  passThreshold: number;
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
  /** The user of the key that started it; absent for a run without a user. */
  startedBy?: UserId;
  /** Absent for a run of the version that is current now. */
  version?: RunVersion;
  /** The files that its input refers to; `path` is that below `input/`. Absent without files. */
  inputFiles?: StoredFile[];
  overrides?: RunOverrides;
  metadata?: object;
  /** The first request to cancel it after it started. */
  cancelRequestedAt?: string;
  /** The run that was run again, and the number of runs before this one; absent for a first run. */
  retry?: { number: number; previousRunId: RunId };
  /** The newest rerun. */
  nextRunId?: RunId;
  /** Absent unless the run is an evaluation run. */
  evaluation?: RunEvaluationRecord;
  /** Absent until an evaluation run ends. */
  scores?: EvaluationScore[];
}

/** A review by a person. */
export interface ReviewRecord {
  id: string;
  /** Null for a note without a judgment. */
  verdict: 'correct' | 'incorrect' | null;
  status: 'open' | 'closed' | 'wont_fix';
  /** Empty without a note. */
  note: string;
  reviewedBy: UserId | null;
  reviewedByEmail: string | null;
  /** When the review was last written. */
  reviewedAt: string;
  closedBy: UserId | null;
  closedByEmail: string | null;
  closedAt: string | null;
  closedNote: string | null;
  createdAt: string;
  updatedAt: string;
  corrections: readonly DeepReadonly<ReviewCorrection>[];
  /** Null without one. */
  correctedOutput: unknown;
}

/** The review of a run, stored separately because an ended run is immutable. */
export interface RunReviewRecord {
  /** The id of the run. */
  id: RunId;
  /** Null without a review and after it was cleared. */
  review: ReviewRecord | null;
  /** Corrected files and copied output files; ordered by unique path. */
  expectedFiles: StoredFile[];
}
