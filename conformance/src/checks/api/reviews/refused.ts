import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, expectStatus, show } from '../../../check-kit/expect.ts';
import { judgeEach } from '../../../check-kit/values.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { isRecord } from '../../../http/message.ts';
import { fieldSchema, invalidValues } from '../operations/invalid-values.ts';
import type { InvalidValue } from '../operations/invalid-values.ts';
import { UPDATABLE } from '../operations/review-fields.ts';
import { expectUnchanged, updateReview } from '../operations/review-update.ts';
import { readReview, reviewUpdate } from '../operations/reviews.ts';
import { openSandbox } from '../operations/sandbox.ts';

/** Refused updates, each after a valid one that succeeds. */
export const reviewRefusalChecks: readonly Check[] = [
  reviewUpdate.check({
    name: 'wrong-type',
    requirements: ['review-update.body.types', 'status-code.400'],
    title: 'refuses a field of the wrong type with 400 and changes nothing',
    run: (context) => refusesFields(context, ['type']),
  }),
  reviewUpdate.check({
    name: 'status-unknown',
    requirements: ['review-update.body.status'],
    title: 'refuses an unknown status with 400 and changes nothing',
    run: (context) => refusesFields(context, ['enum']),
  }),
  reviewUpdate.check({
    name: 'focus-field-bounds',
    requirements: ['review-update.body.focus-fields.bounds', 'status-code.400'],
    title: 'refuses a focus field with an empty path with 400',
    run: (context) => refusesFields(context, ['length'], isAboutPath),
  }),
  reviewUpdate.check({
    name: 'focus-field-shape',
    requirements: ['review-update.body.focus-fields.shape', 'status-code.400'],
    title: 'refuses a focus field without a path, or with an empty reason, with 400',
    run: (context) => refusesFields(context, ['missing', 'length'], (value) => !isAboutPath(value)),
  }),
];

/** Sends every value with one of these faults, in a body that is valid otherwise. Then nothing has changed. */
async function refusesFields(
  context: CheckContext,
  faults: readonly InvalidValue['fault'][],
  isWanted: (value: unknown) => boolean = () => true,
): Promise<void> {
  const sandbox = await openSandbox(context);
  const id = sandbox.fixture('openReviewId');
  const { entry } = await readReview(sandbox, id);
  const valid = await updateReview(sandbox, entry);
  assumeSuccess(valid);
  // The valid update can give instructions or a reason to a request without one.
  const { entry: before } = await readReview(sandbox, id);
  const sent = UPDATABLE.flatMap((name) =>
    invalidValues(fieldSchema('DatasetReviewRequestUpdate', name))
      .filter(({ fault, value }) => faults.includes(fault) && isWanted(value))
      .map(({ value }) => ({ name, value })),
  );
  const updates = new Map<string, ApiResponse>();
  let last = valid;
  await judgeEach(
    sent,
    ({ name, value }) => `${name} ${show(value)}`,
    async ({ name, value }) => {
      last = await updateReview(sandbox, before, { [name]: value });
      updates.set(name, last);
      expectStatus(last, 400);
    },
  );
  await expectUnchanged(sandbox, before, (name) => updates.get(name) ?? last);
}

/** Whether a list of focus fields has one with an empty path. */
function isAboutPath(value: unknown): boolean {
  return Array.isArray(value) && value.some((field) => isRecord(field) && field['path'] === '');
}
