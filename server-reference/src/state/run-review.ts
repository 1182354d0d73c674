import type { RunReview } from '@hookproof/spec';

import type { StoredFile } from './stored-file.ts';

/** What people have said of a run. It lies apart from the run, which never changes once it has ended. */
export interface RunReviewRecord {
  /** The id of the run. */
  id: string;
  /** Null while there is none, or after it was cleared. */
  review: (RunReview & { id: string }) | null;
  /** Corrected files, and copies of output files; ordered by path, no path twice. */
  expectedFiles: StoredFile[];
}
