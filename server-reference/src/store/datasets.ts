import type { FocusField, ReviewEvent, ReviewStatus } from '@hookproof/spec';

import type {
  AutomationId,
  ExampleId,
  ExperimentId,
  ReviewEventId,
  ReviewItemId,
  ReviewRequestId,
  RunId,
  TenantId,
  UserId,
} from './ids.ts';

/** A file of a record. Its path is a key, never a path on this machine. Its bytes are stored in the blobs. */
export interface StoredFile {
  path: string;
  contentType: string;
  size: number;
  /** In lower-case hex; the key to read the bytes. */
  sha256: string;
}

/** One example of an automation's dataset. Names are unique in a dataset. Files are ordered by path. */
export interface ExampleRecord {
  id: ExampleId;
  tenantId: TenantId;
  automationId: AutomationId;
  name: string;
  createdAt: string;
  input: StoredFile[];
  expected: StoredFile[];
  /** Larger than that of every older example of the dataset. */
  number: number;
  /** The input of a run; `{ "$file": "input/<path>" }` in it names a file of the example. */
  inputJson: Record<string, unknown> | null;
  /** The expected output; null without one. */
  expectedJson: unknown;
  metadata: Record<string, unknown> | null;
  annotation: string | null;
  /** The place in the list, before all examples without one. */
  rowOrder: number | null;
  overrides: Record<string, unknown> | null;
  /** The newest evaluation run. */
  latestRunId: RunId | null;
  updatedAt: string | null;
}

/** A batch of evaluation runs over a dataset. */
export interface ExperimentRecord {
  id: ExperimentId;
  tenantId: TenantId;
  automationId: AutomationId;
  name: string;
  createdAt: string;
  /** The label of the version under evaluation. */
  version: string | null;
  /** When its first run started, and when its last run ended. */
  startedAt: string | null;
  completedAt: string | null;
  /** Its runs, and how they ended. It counts them itself, so that a list need not read them. */
  runCount: number;
  completedCount: number;
  passedCount: number;
  failedCount: number;
  /** The scores of its judged runs. */
  scores: { sum: number; count: number };
}

type ReviewItemStatus = 'pending' | 'approved' | 'edited' | 'removed';

/** One example under review, as it was when the request was created. */
export interface ReviewItemRecord {
  id: ReviewItemId;
  reviewId: ReviewRequestId;
  exampleName: string;
  snapshotInputJson: Record<string, unknown>;
  snapshotExpectedJson: unknown;
  snapshotManifest: {
    expectedFiles: { name: string }[];
    metadata: Record<string, unknown>;
    inputFileHashes: { path: string; sha256: string }[];
  };
  status: ReviewItemStatus;
  currentExpectedJson: unknown;
  fieldDecisions: Record<string, unknown>;
  updatedBy: UserId;
  updatedAt: string;
}

/** An entry in the history of a review request. */
interface ReviewEventRecord extends Required<ReviewEvent> {
  id: ReviewEventId;
  reviewId: ReviewRequestId;
  /** Empty for an event of the whole request. */
  itemId: ReviewItemId | '';
  actorUserId: UserId;
}

/** A request to review dataset examples. Its progress is computed from its items. */
export interface ReviewRequestRecord {
  id: ReviewRequestId;
  tenantId: TenantId;
  automationId: AutomationId;
  title: string;
  instructions: string | null;
  focusFields: FocusField[];
  ignoredFields: string[];
  status: ReviewStatus;
  createdBy: UserId | null;
  createdAt: string;
  closedAt: string | null;
  items: ReviewItemRecord[];
  events: ReviewEventRecord[];
}
