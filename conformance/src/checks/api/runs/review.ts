import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { fixtureRemedy } from '../../../options/remedies.ts';
import { CouldNotRun, Inconclusive, NotApplicable } from '../../../verdict/findings.ts';
import { expectAllowed, show, violation } from '../../../check-kit/expect.ts';
import { isRecord, isSuccess } from '../../../http/message.ts';
import { clearNamed } from '../operations/clear-review.ts';
import { fileNamesIn, listExpectedFiles, textsIn } from '../operations/expected-files.ts';

const runReview = area('api.run-review', {
  access: 'delete',
  exclusive: 'without-worlds',
  needs: ['key.main', 'world-or.clearableRunId'],
});

/** Members that only a reviewer fills in. */
const GIVEN = ['note', 'reviewedBy', 'reviewedByEmail', 'closedNote', 'corrections'] as const;

/** Clearing the review of a run, and the list of its corrected files. */
export const runReviewChecks: readonly Check[] = [
  runReview.check({
    name: 'clear',
    requirements: ['run-review.clear.review', 'run-review.clear.response'],
    title:
      'a review that is cleared by a request without a body has no note, no reviewer and no corrections',
    async run(context) {
      const { response } = await clearNamed(context);
      expectAllowed(response);
      const review = reviewIn(response) ?? {};
      const left = GIVEN.filter((name) => !isNothing(review[name]));
      if (left.length === 0) return;
      throw violation('no note, no reviewer and no corrections', left.join(', '), response);
    },
  }),
  runReview.check({
    name: 'corrected-files',
    requirements: ['run-review.corrected-files.listed-apart'],
    access: 'read',
    title: '/v1/runs/{id}/reviews/expected names the corrected files of a run',
    needs: ['key.main', 'fixture.reviewedRunId'],
    async run(context) {
      const run = context.fixture('reviewedRunId');
      const response = await listExpectedFiles(context.api, run);
      expectAllowed(response);
      if (textsIn(response, run).length === 0 && fileNamesIn(response, run).length === 0) {
        throw violation('the names of corrected files', show(response.json), response);
      }
    },
  }),
  runReview.check({
    name: 'clear-files',
    requirements: ['run-review.clear.files'],
    title: 'clearing removes the corrected files of the run',
    needs: ['key.main', 'world-or.clearableRunId', 'fixture.runId'],
    async run(context) {
      const { sandbox, run, before, response } = await clearNamed(context);
      expectAllowed(response);
      const names = await correctedFiles(sandbox, run, before);
      await sandbox.effects.shown(
        () => listExpectedFiles(sandbox.api, run),
        (after) => {
          // Without corrected files, the response may be no list.
          const left = fileNamesIn(after, run).filter((name) => names.includes(name));
          if (left.length > 0) throw violation('no corrected files', show(left), after);
        },
      );
    },
  }),
];

/**
 * The names that the list of a run has, and the list of another run has not: a list may contain constants. Throws
 * `CouldNotRun` without any.
 */
async function correctedFiles(
  sandbox: CheckContext,
  run: string,
  before: ApiResponse,
): Promise<readonly string[]> {
  if (!isSuccess(before)) throw new NotApplicable('no operation has to list the corrected files');
  const other = sandbox.fixture('runId');
  const constants = fileNamesIn(await listExpectedFiles(sandbox.api, other), other);
  const names = fileNamesIn(before, run).filter((name) => !constants.includes(name));
  if (names.length > 0) return names;
  throw new CouldNotRun(
    `the run ${run} must have corrected files of its own, and has none`,
    sandbox.disposable
      ? 'return such a run as fixtures.reviewedRunId of the control interface'
      : fixtureRemedy('clearableRunId'),
  );
}

function isNothing(value: unknown): boolean {
  return value == null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The review in a response; null is an empty review. Inconclusive without a review. */
function reviewIn({ json }: ApiResponse): Readonly<Record<string, unknown>> | null {
  const review = isRecord(json) ? json['review'] : undefined;
  if (review === null || isRecord(review)) return review;
  throw new Inconclusive('Cannot judge: the response has no review.', {
    reportedBy: 'api.response.review-clear',
  });
}
