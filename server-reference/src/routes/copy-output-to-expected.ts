import type { FeedbackExpectedCopied, FeedbackExpectedCopy } from '@hookproof/spec';

import { ApiError, issue, notFound } from '../app/api-error.ts';
import type { ApiRequest, Handler, Services } from '../app/handler.ts';
import { readArtifactPath } from '../datasets/artifact-path.ts';
import { inOrder, occupantOf } from '../datasets/example-files.ts';
import { find } from '../store/find.ts';
import { findRun } from './find-run.ts';

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
