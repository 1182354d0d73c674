import type { ApiResponse } from '../../../api-client.ts';
import type { Check, CheckContext } from '../../../check.ts';
import { expectControlPasses, expectEqual, expectStatus } from '../../expect.ts';
import { expectEnvelope } from '../envelope.ts';
import { openStage, readReview } from '../stage.ts';
import type { Stage } from '../stage.ts';
import { base } from './base.ts';
import { patchReview, reviewPath } from './patch.ts';

/** One fault in one member, beside a body that is right. */
const WRONG_TYPES: Readonly<Record<string, unknown>> = {
  title: 7,
  instructions: ['not', 'a', 'string'],
  focusFields: 'carrier',
  ignoredFields: [1, 2],
};

/** Updates that are refused, each beside the same update without its fault. */
export const reviewRefusalChecks: readonly Check[] = [
  {
    ...base('wrong-type', 'review-update.body.types', 'status-code.400'),
    title: 'a member of the wrong type is refused with 400 and changes nothing',
    run: (context) =>
      refused(context, async (stage, entry) => {
        for (const [name, value] of Object.entries(WRONG_TYPES)) {
          expectStatus(await patchReview(stage, entry, { [name]: value }), 400);
        }
      }),
  },
  {
    ...base('status-unknown', 'review-update.body.status'),
    title: 'a status that does not exist is refused with 400',
    run: (context) =>
      refused(context, async (stage, entry) => {
        expectStatus(await patchReview(stage, entry, { status: 'archived' }), 400);
      }),
  },
  {
    ...base('unknown-review', 'status-code.404'),
    title: 'an update of a review request that does not exist is answered with 404',
    run: (context) =>
      refused(context, async (stage, entry) => {
        const unknown = { ...entry, id: 'review-that-nobody-made' };
        expectStatus(await patchReview(stage, unknown, { title: entry['title'] }), 404);
      }),
  },
  {
    ...base('error-envelope', 'review-update.errors.envelope'),
    title: 'a refused update answers with the error envelope',
    run: (context) =>
      refused(context, async (stage, entry) => {
        expectEnvelope(await patchReview(stage, entry, { title: 7 }));
      }),
  },
  {
    ...base('malformed-json', 'envelope.every-error'),
    id: 'api.envelope.malformed-json',
    title: 'a body that is not JSON is answered with 400 and an error envelope',
    run: (context) =>
      refused(context, async (stage, entry) => {
        const response = await sendText(stage, entry, '{"title": ');
        expectStatus(response, 400);
        expectEnvelope(response);
      }),
  },
];

async function refused(
  context: CheckContext,
  probe: (stage: Stage, entry: Readonly<Record<string, unknown>>) => Promise<void>,
): Promise<void> {
  const stage = await openStage(context);
  const id = stage.fixture('openReviewId');
  const { entry } = await readReview(stage, stage.key, id);
  expectControlPasses(await patchReview(stage, entry, { title: entry['title'] }));
  await probe(stage, entry);
  const { entry: after, response } = await readReview(stage, stage.key, id);
  expectEqual('the request unchanged,', after, entry, response);
}

function sendText(
  stage: Stage,
  entry: Readonly<Record<string, unknown>>,
  body: string,
): Promise<ApiResponse> {
  return stage.api.send({
    method: 'PATCH',
    path: reviewPath(String(entry['automationId']), String(entry['id'])),
    key: stage.key,
    headers: [['content-type', 'application/json']],
    body,
  });
}
