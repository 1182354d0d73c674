import type { Check } from '../../../check.ts';
import { expectEqual, expectAllowed, isRecord } from '../../expect.ts';
import { openStage, readReview } from '../stage.ts';
import { base } from './base.ts';
import { patchReview } from './patch.ts';

const FIELDS: readonly { name: string; id: string; value: unknown }[] = [
  { name: 'title', id: 'title', value: 'A title given by the conformance suite' },
  { name: 'instructions', id: 'instructions', value: 'Instructions given by the suite' },
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

/** Each field that an update may carry is in the answer and in the inbox afterwards. */
export const reviewFieldChecks: readonly Check[] = FIELDS.map((field) => fieldCheck(field));

function fieldCheck({ name, id, value }: (typeof FIELDS)[number]): Check {
  return {
    ...base(id, `review-update.body.${id}`),
    title: `an update of ${name} is in its answer and in the inbox afterwards`,
    async run(context) {
      const stage = await openStage(context);
      const review = stage.fixture('openReviewId');
      const { entry: before } = await readReview(stage, stage.key, review);
      try {
        const answer = await patchReview(stage, before, { [name]: value });
        expectAllowed(answer);
        expectEqual(name, isRecord(answer.json) ? answer.json[name] : undefined, value, answer);
        const { entry, response } = await readReview(stage, stage.key, review);
        expectEqual(`in the inbox, ${name}`, entry[name], value, response);
      } finally {
        if (!stage.disposable) await patchReview(stage, before, { [name]: before[name] ?? '' });
      }
    },
  };
}
