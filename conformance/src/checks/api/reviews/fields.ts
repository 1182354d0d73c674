import type { Check } from '../../../check-kit/check.ts';
import { assumeSuccess, expectAllowed, expectEqual } from '../../../check-kit/expect.ts';
import { membersOf } from '../../../http/message.ts';
import { comparable, updateReview } from '../operations/review-update.ts';
import { readReview, reviewUpdate } from '../operations/reviews.ts';
import { openSandbox } from '../operations/sandbox.ts';

const FIELDS: readonly { name: string; id: string; value: unknown }[] = [
  { name: 'title', id: 'title', value: 'A title given by the conformance suite' },
  {
    name: 'instructions',
    id: 'instructions',
    value: 'Instructions given by the conformance suite',
  },
  {
    name: 'focusFields',
    id: 'focus-fields',
    value: [
      { path: 'suite.first', reason: 'Given by the suite' },
      { path: 'suite.second', reason: 'too' },
    ],
  },
  { name: 'ignoredFields', id: 'ignored-fields', value: ['suite.ignored', 'suite.other'] },
];

/** Every field of an update shows in its response and in the inbox. */
export const reviewFieldChecks: readonly Check[] = FIELDS.map((field) => fieldCheck(field));

function fieldCheck({ name, id, value }: (typeof FIELDS)[number]): Check {
  return reviewUpdate.check({
    name: id,
    requirements: [`review-update.body.${id}`],
    title: `an update of ${name} shows in its response and in the inbox`,
    async run(context) {
      const sandbox = await openSandbox(context);
      const review = sandbox.fixture('openReviewId');
      const { entry: before } = await readReview(sandbox, sandbox.key, review);
      assumeSuccess(await updateReview(sandbox, before));
      const updated = await updateReview(sandbox, before, { [name]: value });
      expectAllowed(updated);
      const detail = membersOf(updated.json);
      const expected = comparable(name, { [name]: value });
      expectEqual(name, comparable(name, detail), expected, updated);
      const { entry, response } = await readReview(sandbox, sandbox.key, review);
      expectEqual(`in the inbox, ${name}`, comparable(name, entry), expected, response);
    },
  });
}
