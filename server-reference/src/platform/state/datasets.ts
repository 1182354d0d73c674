import type { FocusField, ReviewEvent, ReviewStatus } from '@hookproof/spec';
import type { Example, StoredFile } from '@hookproof/spec/control';

import type {
  AutomationId,
  ExampleId,
  ExperimentId,
  ReviewEventId,
  ReviewItemId,
  ReviewRequestId,
  TenantId,
  UserId,
} from './ids.ts';

/** A file of a record. Its path is a key, never a path on this machine. Its bytes are stored in the blobs. */
export type { StoredFile };

/** One example of an automation's dataset. Names are unique in a dataset. Files are ordered by path. */
export interface ExampleRecord extends Example {
  id: ExampleId;
  tenantId: TenantId;
  automationId: AutomationId;
}

/** A batch of evaluation runs over a dataset. */
export interface ExperimentRecord {
  id: ExperimentId;
  tenantId: TenantId;
  automationId: AutomationId;
  name: string;
  createdAt: string;
}

export type ReviewItemStatus = 'pending' | 'approved' | 'edited' | 'removed';

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
  inputDrifted: boolean;
  updatedBy: UserId;
  updatedAt: string;
}

/** An entry in the history of a review request. */
export interface ReviewEventRecord extends Required<ReviewEvent> {
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
