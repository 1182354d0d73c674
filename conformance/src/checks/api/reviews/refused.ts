import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, expectEqual, expectStatus } from '../../../check-kit/expect.ts';
import { expectEnvelope } from '../envelope/envelope.ts';
import { openSandbox } from '../operations/sandbox.ts';
import type { Sandbox } from '../operations/sandbox.ts';
import {
  envelope,
  patchReview,
  readReview,
  reviewPath,
  reviewUpdate,
} from '../operations/reviews.ts';

/** One member with a wrong type each. */
const WRONG_TYPES: Readonly<Record<string, unknown>> = {
  title: 7,
  instructions: ['not', 'a', 'string'],
  focusFields: 'carrier',
  ignoredFields: [1, 2],
};

/** Refused updates, each after a valid one that succeeds. */
export const reviewRefusalChecks: readonly Check[] = [
  reviewUpdate.check({
    name: 'wrong-type',
    requirements: ['review-update.body.types', 'status-code.400'],
    title: 'refuses a member of the wrong type with 400 and changes nothing',
    run: (context) =>
      refused(context, async (sandbox, entry) => {
        for (const [name, value] of Object.entries(WRONG_TYPES)) {
          expectStatus(await patchReview(sandbox, entry, { [name]: value }), 400);
        }
      }),
  }),
  reviewUpdate.check({
    name: 'status-unknown',
    requirements: ['review-update.body.status'],
    title: 'refuses an unknown status with 400',
    run: (context) =>
      refused(context, async (sandbox, entry) => {
        expectStatus(await patchReview(sandbox, entry, { status: 'archived' }), 400);
      }),
  }),
  reviewUpdate.check({
    name: 'unknown-review',
    requirements: ['status-code.404'],
    title: 'responds with 404 to an update of an unknown review request',
    run: (context) =>
      refused(context, async (sandbox, entry) => {
        const unknown = { ...entry, id: 'unknown-review' };
        expectStatus(await patchReview(sandbox, unknown, { title: entry['title'] }), 404);
      }),
  }),
  reviewUpdate.check({
    name: 'error-envelope',
    requirements: ['review-update.errors.envelope'],
    title: 'a refused update has an error envelope',
    run: (context) =>
      refused(context, async (sandbox, entry) => {
        expectEnvelope(await patchReview(sandbox, entry, { title: 7 }));
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

async function refused(
  context: CheckContext,
  probe: (sandbox: Sandbox, entry: Readonly<Record<string, unknown>>) => Promise<void>,
): Promise<void> {
  const sandbox = await openSandbox(context);
  const id = sandbox.fixture('openReviewId');
  const { entry } = await readReview(sandbox, sandbox.key, id);
  assumeSuccess(await patchReview(sandbox, entry, { title: entry['title'] }));
  await probe(sandbox, entry);
  const { entry: after, response } = await readReview(sandbox, sandbox.key, id);
  expectEqual('the request unchanged,', after, entry, response);
}

function sendText(
  sandbox: Sandbox,
  entry: Readonly<Record<string, unknown>>,
  body: string,
): Promise<ApiResponse> {
  return sandbox.api.send({
    method: 'PATCH',
    path: reviewPath(String(entry['automationId']), String(entry['id'])),
    key: sandbox.key,
    headers: [['content-type', 'application/json']],
    body,
  });
}
