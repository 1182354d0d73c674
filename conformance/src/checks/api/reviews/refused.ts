import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, expectStatus, show, violation } from '../../../check-kit/expect.ts';
import { expectEnvelope } from '../envelope/envelope.ts';
import { fieldSchema, invalidValues } from '../operations/invalid-values.ts';
import type { InvalidValue } from '../operations/invalid-values.ts';
import { expectUnchanged, UPDATABLE, updateReview } from '../operations/review-update.ts';
import type { Entry } from '../operations/review-update.ts';
import { envelope, readReview, reviewPath, reviewUpdate } from '../operations/reviews.ts';
import { openSandbox } from '../operations/sandbox.ts';
import type { Sandbox } from '../operations/sandbox.ts';
import { unknownIdLike } from '../operations/unknown-id.ts';

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
    title: 'refuses a focus field without a path, or with an empty path or reason, with 400',
    run: (context) => refusesFields(context, ['missing', 'length']),
  }),
  reviewUpdate.check({
    name: 'unknown-review',
    requirements: ['status-code.404'],
    title: 'responds with 404 to an update of an unknown review request',
    run: (context) =>
      refused(context, async (sandbox, entry) => {
        const unknown = { ...entry, id: unknownIdLike(String(entry['id'])) };
        expectStatus(await updateReview(sandbox, unknown), 404);
      }),
  }),
  reviewUpdate.check({
    name: 'error-envelope',
    requirements: ['review-update.errors.envelope'],
    title: 'a refused update has an error envelope',
    run: (context) =>
      refused(context, async (sandbox, entry) => {
        expectEnvelope(await updateReview(sandbox, entry, { title: 7 }));
      }),
  }),
  envelope.check({
    name: 'malformed-json',
    requirements: ['envelope.every-error'],
    title: 'refuses a body that is not JSON with 400 and an error envelope',
    run: (context) =>
      refused(context, async (sandbox, entry) => {
        const response = await sendText(sandbox, entry, '{"title": ');
        expectStatus(response, 400);
        expectEnvelope(response);
      }),
  }),
];

/** Sends every value with one of these faults, in a body that is valid otherwise. */
function refusesFields(
  context: CheckContext,
  faults: readonly InvalidValue['fault'][],
): Promise<void> {
  return refused(context, async (sandbox, entry) => {
    for (const name of UPDATABLE) {
      const values = invalidValues(fieldSchema('DatasetReviewRequestUpdate', name));
      for (const { value } of values.filter(({ fault }) => faults.includes(fault))) {
        const response = await updateReview(sandbox, entry, { [name]: value });
        if (response.status === 400) continue;
        throw violation(`400 to ${name} ${show(value)}`, `status ${response.status}`, response);
      }
    }
  });
}

async function refused(
  context: CheckContext,
  probe: (sandbox: Sandbox, entry: Entry) => Promise<void>,
): Promise<void> {
  const sandbox = await openSandbox(context);
  const id = sandbox.fixture('openReviewId');
  const { entry } = await readReview(sandbox, sandbox.key, id);
  assumeSuccess(await updateReview(sandbox, entry));
  // The valid update can give instructions or a reason to a request without one.
  const { entry: before } = await readReview(sandbox, sandbox.key, id);
  await probe(sandbox, before);
  await expectUnchanged(sandbox, before);
}

function sendText(sandbox: Sandbox, entry: Entry, body: string): Promise<ApiResponse> {
  return sandbox.api.send({
    method: 'PATCH',
    path: reviewPath(String(entry['automationId']), String(entry['id'])),
    key: sandbox.key,
    headers: [['content-type', 'application/json']],
    body,
  });
}
