import type { FeedbackExpectedCopied, FeedbackExpectedCopy, RunReview } from '@hookproof/spec';

import { readArtifactPath } from '../datasets/artifact-path.ts';
import { inOrder, occupantOf } from '../datasets/examples.ts';
import { ApiError, issue, notFound } from '../http/api-error.ts';
import { findRun } from '../resources/find.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { find } from '../store/records.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

/** A file as it should have come out; the size is in bytes. */
interface ExpectedFile {
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
}

/**
 * `GET /v1/runs/{id}/reviews/expected`: the corrected files of a run, and the output files that were
 * copied beside them, by name.
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
 * `DELETE /v1/runs/{id}/reviews`: the review of a run goes, with its corrections and all its expected
 * files. Once more, or without a review, it is answered the same.
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
      const { review, expectedFiles } = find(state.runReviews, run.id) ?? NOTHING;
      const others = expectedFiles.filter(({ path }) => path !== name);
      if (occupantOf(others, name) !== undefined) {
        const field = expectedName === undefined ? 'outputFileName' : 'expectedName';
        const message = 'this file or another expected file would have to be a folder';
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
