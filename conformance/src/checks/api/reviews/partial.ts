import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, expectAllowed, expectEqual, isRefused } from '../../../check-kit/expect.ts';
import { membersOf } from '../../../http/message.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import { comparable, UPDATABLE, updateReview } from '../operations/review-update.ts';
import type { Entry } from '../operations/review-update.ts';
import { patchReview, readReview, reviewUpdate } from '../operations/reviews.ts';
import { openSandbox } from '../operations/sandbox.ts';

/** What every other field has before a partial update, so that there is something to lose. */
const BEFORE: Entry = {
  title: 'A title before a partial update',
  instructions: 'Instructions before a partial update',
  focusFields: [{ path: 'suite.before', reason: 'Before a partial update' }],
  ignoredFields: ['suite.ignored-before'],
};

const CHANGES: Readonly<Record<string, Entry>> = {
  title: { title: 'A title alone' },
  instructions: { instructions: 'Instructions alone' },
  'focus-fields': { focusFields: [{ path: 'suite.alone', reason: 'Alone' }] },
  'ignored-fields': { ignoredFields: ['suite.ignored-alone'] },
};

/** Closing cannot be undone: it needs its own world. */
const CLOSINGS: Readonly<Record<string, Entry>> = {
  status: { status: 'closed' },
  'title-and-status': { title: 'A title with the end', status: 'closed' },
};

/** Updates with some of the fields, where the API accepts them: the contract does not state which ones are required. */
export const reviewPartialChecks: readonly Check[] = [
  ...Object.entries(CHANGES).map(([id, change]) => partial(id, change, {})),
  ...Object.entries(CLOSINGS).map(([id, change]) =>
    partial(id, change, { needs: ['control', 'fixture.openReviewId'] }),
  ),
];

function partial(id: string, change: Entry, frame: Pick<Partial<Check>, 'needs'>): Check {
  const names = Object.keys(change).join(' and ');
  return reviewUpdate.check({
    ...frame,
    name: `partial-${id}`,
    requirements: ['review-update.body.partial'],
    title: `an update of only ${names} leaves the other fields as they were`,
    run: (context) => expectOthersKept(context, change),
  });
}

async function expectOthersKept(context: CheckContext, change: Entry): Promise<void> {
  const sandbox = await openSandbox(context);
  const review = sandbox.fixture('openReviewId');
  const { entry } = await readReview(sandbox, sandbox.key, review);
  assumeSuccess(await updateReview(sandbox, entry, BEFORE));
  const { entry: before } = await readReview(sandbox, sandbox.key, review);
  const updated = await patchReview(sandbox, before, change);
  if (isRefused(updated)) {
    throw new NotApplicable(
      `the API requires more fields than ${Object.keys(change).join(' and ')}: status ${updated.status}`,
    );
  }
  expectAllowed(updated);
  const detail = membersOf(updated.json);
  const { entry: after, response } = await readReview(sandbox, sandbox.key, review);
  for (const name of UPDATABLE) {
    const expected = comparable(name, { ...before, ...change });
    expectEqual(name, comparable(name, detail), expected, updated);
    expectEqual(`in the inbox, ${name}`, comparable(name, after), expected, response);
  }
}
