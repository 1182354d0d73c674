import type { FeedbackExpectedCopied, FeedbackExpectedCopy, RunReview } from '@hookproof/spec';

import { readArtifactPath } from '../datasets/artifact-path.ts';
import { inOrder, occupantOf } from '../datasets/examples.ts';
import { ApiError, issue, notFound } from '../http/api-error.ts';
import { findRun } from '../resources/find.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { find } from '../store/records.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

/** An expected file of a run. The size is in bytes. */
interface ExpectedFile {
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
}

/**
 * `GET /v1/runs/{id}/reviews/expected`: the corrected files and copied output files of a run, ordered by
 * name.
 */
export function listExpectedReviewFiles({ store }: Services): Handler {
  return async function handle(request): Promise<{ data: ExpectedFile[] }> {
    const { id } = findRun(store.state, request);
    const files = find(store.state.runReviews, id)?.expectedFiles ?? [];
    return {
      data: files.map(({ path, contentType, size }) => ({ name: path, contentType, size })),
    };
  };
}

/**
 * `DELETE /v1/runs/{id}/reviews`: deletes the review of a run with its corrections and expected files.
 * Idempotent.
 */
export function clearRunReviews({ store }: Services): Handler {
  return async function handle(request): Promise<{ readonly review: DeepReadonly<RunReview> }> {
    return store.commit((state) => {
      const { id } = findRun(state, request);
      delete state.runReviews[id];
      return { review: emptyReview() };
    });
  };
}

function emptyReview(): Required<RunReview> {
  return {
    id: null,
    verdict: null,
    status: null,
    note: null,
    reviewedBy: null,
    reviewedByEmail: null,
    reviewedAt: null,
    closedBy: null,
    closedByEmail: null,
    closedAt: null,
    closedNote: null,
    createdAt: null,
    updatedAt: null,
    corrections: [],
    correctedOutput: null,
  };
}

const NOTHING = { review: null, expectedFiles: [] } as const;

/**
 * `POST /v1/runs/{id}/feedback/expected` and `/api/v1/runs/{id}/feedback/expected`: copies an output file to
 * the expected files of its run. Replaces an expected file with the same name.
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
      const { review, expectedFiles } = find(state.runReviews, run.id) ?? NOTHING;
      const others = expectedFiles.filter(({ path }) => path !== name);
      if (occupantOf(others, name) !== undefined) {
        const field = expectedName === undefined ? 'outputFileName' : 'expectedName';
        const message = 'conflicts with an expected file: one of them would have to be a folder';
        throw new ApiError(409, [issue('file_name_conflict', field, message)], {
          hint: 'Send another expectedName.',
        });
      }
      const expected = inOrder([...others, { ...file, path: name }]);
      state.runReviews[run.id] = { id: run.id, review, expectedFiles: expected };
      return { name };
    });
  };
}
