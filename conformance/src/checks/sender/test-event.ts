import type { ApiResponse } from '../../api-client.ts';
import type { Check, CheckContext, Requirements } from '../../check.ts';
import { NotApplicable } from '../../findings.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { isSuccess } from '../expect.ts';
import { expectOf, senderCheck } from './sender-check.ts';
import type { JudgeDelivery } from './sender-check.ts';
import { onStage, runOf } from './stage.ts';
import type { SenderStage } from './stage.ts';

/** Events of the Send test action. */
export const senderTestEventChecks: readonly Check[] = [
  testEventCheck(
    'test-event.flag',
    ['webhook-event.test.flag', 'webhook-envelope.test.false-for-real-runs'],
    'an event of Send test has test true',
    (delivery, stage) => {
      const { test } = delivery.event;
      expectOf(stage, delivery, test === true, 'true', test);
    },
  ),
  {
    ...testEventCheck(
      'test-event.synthetic-run',
      ['webhook-envelope.test.synthetic-run'],
      'the run of a test event cannot be read',
      async (delivery, stage, context) => {
        const real = await stage.createRun();
        const found = await readRun(context, stage, real.id);
        if (!isSuccess(found)) {
          throw new NotApplicable(`reading a run that exists is answered with ${found.status}`);
        }
        const id = String(runOf(delivery.event)['id']);
        const answer = await readRun(context, stage, id);
        const expected = `a run id that nothing is stored under, not ${id}`;
        expectOf(stage, delivery, !isSuccess(answer), expected, answer.status);
      },
    ),
    needs: ['control', 'app'],
  },
];

function testEventCheck(
  name: string,
  requirements: Requirements,
  title: string,
  judge: JudgeDelivery,
): Check {
  return senderCheck(name, requirements, title, (context) =>
    onStage(context, async (stage) => {
      const { eventId } = await context.control.sendTest(stage.endpoint.id);
      const arrived = (): ReceivedDelivery | undefined =>
        stage.listener.deliveries.find(({ event }) => event['id'] === eventId);
      await stage.until(`the test event ${eventId}`, () => arrived() !== undefined);
      const delivery = arrived();
      if (delivery !== undefined) await judge(delivery, stage, context);
    }),
  );
}

function readRun({ api }: CheckContext, { world }: SenderStage, id: string): Promise<ApiResponse> {
  const key = { value: world.keys.wildcard };
  return api.send({ path: `/api/v1/runs/${encodeURIComponent(id)}`, key });
}
