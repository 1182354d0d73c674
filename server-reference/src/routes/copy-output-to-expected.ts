import type { FeedbackExpectedCopied, FeedbackExpectedCopy } from '@hookproof/spec';

import { notFound } from '../app/api-error.ts';
import type { ApiRequest, Handler, Services } from '../app/handler.ts';
import { readArtifactPath } from '../datasets/artifact-path.ts';
import type { RunReviewRecord } from '../state/run-review.ts';
import type { StoredFile } from '../state/stored-file.ts';
import { find } from '../store/find.ts';
import type { State } from '../store/state.ts';
import { findRun } from './find-run.ts';

/**
 * `POST /v1/runs/{id}/feedback/expected` and `/api/v1/runs/{id}/feedback/expected`: puts an output file
 * among the expected files of its run; one that has the name already is replaced.
 */
export function copyOutputToExpected({ store }: Services): Handler<unknown, FeedbackExpectedCopy> {
  return async function handle(
    request: ApiRequest<unknown, FeedbackExpectedCopy>,
  ): Promise<FeedbackExpectedCopied> {
    const { outputFileName, expectedName } = request.body;
    const name =
      expectedName === undefined ? outputFileName : readArtifactPath(expectedName, 'expectedName');
    return store.commit((state) => {
      const run = findRun(state, request);
      const file = run.outputFiles.find(({ path }) => path === outputFileName);
      if (file === undefined) {
        throw notFound('outputFileName', 'the run has no output file with this name');
      }
      putExpectedFile(recordOf(state, run.id), { ...file, path: name });
      return { name };
    });
  };
}

function recordOf(state: State, runId: string): RunReviewRecord {
  const known = find(state.runReviews, runId);
  if (known !== undefined) return known;
  const record: RunReviewRecord = { id: runId, review: null, expectedFiles: [] };
  state.runReviews[runId] = record;
  return record;
}

function putExpectedFile(record: RunReviewRecord, file: StoredFile): void {
  const others = record.expectedFiles.filter(({ path }) => path !== file.path);
  record.expectedFiles = [...others, file].toSorted((one, other) =>
    one.path < other.path ? -1 : 1,
  );
}
