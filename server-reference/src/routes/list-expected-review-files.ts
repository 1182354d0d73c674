import type { Handler, Services } from '../app/handler.ts';
import { find } from '../store/find.ts';
import { findRun } from './find-run.ts';

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
