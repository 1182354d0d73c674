import type { ReviewStatus } from '@hookproof/spec';

export type ReviewItemStatus = 'pending' | 'approved' | 'edited' | 'removed';

/** One example put before a reviewer, as it was when the request was made. */
export interface ReviewItemRecord {
  id: string;
  reviewId: string;
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
  updatedBy: string;
  updatedAt: string;
}

/** What happened to a request, oldest first. */
export interface ReviewEventRecord {
  id: string;
  reviewId: string;
  /** Empty for what concerns the request as a whole. */
  itemId: string;
  actorUserId: string;
  action: string;
  diffSummary: unknown;
  createdAt: string;
}

/** A request to review dataset examples. Its progress is counted from its items, never stored. */
export interface ReviewRequestRecord {
  id: string;
  tenantId: string;
  automationId: string;
  title: string;
  instructions: string | null;
  focusFields: { path: string; reason?: string | null }[];
  ignoredFields: string[];
  status: ReviewStatus;
  createdBy: string | null;
  createdAt: string;
  closedAt: string | null;
  items: ReviewItemRecord[];
  events: ReviewEventRecord[];
}
