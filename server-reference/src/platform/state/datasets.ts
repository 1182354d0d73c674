import type { ReviewStatus } from '@hookproof/spec';

/** A file by its place: the bytes lie apart, under their hash. */
export interface StoredFile {
  /** Slash-delimited and normal, such as `reports/summary.csv`: a key, never a file name of this machine. */
  path: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Of the bytes, in lower-case hex. */
  sha256: string;
}

/** One example of an automation's dataset. No two of a dataset have the same name. */
export interface ExampleRecord {
  /** `ex_…` */
  id: string;
  tenantId: string;
  automationId: string;
  /** One segment of a path: it becomes a folder of the export. */
  name: string;
  createdAt: string;
  /** What a run of the example starts from; ordered by path, no path twice. */
  input: StoredFile[];
  /** What it should lead to; ordered by path, no path twice. */
  expected: StoredFile[];
}

/** A batch of evaluation runs over a dataset. */
export interface ExperimentRecord {
  /** `exp_…` */
  id: string;
  tenantId: string;
  automationId: string;
  name: string;
  createdAt: string;
}

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
