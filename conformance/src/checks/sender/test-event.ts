import type { ApiResponse } from '../../clients/api-client.ts';
import type { Check, CheckContext } from '../../check-kit/check.ts';
import { NotApplicable } from '../../verdict/findings.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { isSuccess } from '../../check-kit/expect.ts';
import { expectOf, sender } from './sender-check.ts';
import type { JudgeDelivery, JudgedCheck } from './sender-check.ts';
import { withRig, runOf } from './rig.ts';
import type { SenderRig } from './rig.ts';

/** Events of the Send test action. */
export const senderTestEventChecks: readonly Check[] = [
  testEventCheck({
    name: 'test-event.flag',
    requirements: ['webhook-event.test.flag', 'webhook-envelope.test.false-for-real-runs'],
    title: 'an event of Send test has test true',
    judge(delivery, rig) {
      const { test } = delivery.event;
      expectOf(rig, delivery, test === true, 'true', test);
    },
  }),
  testEventCheck({
    name: 'test-event.synthetic-run',
    requirements: ['webhook-envelope.test.synthetic-run'],
    title: 'the run of a test event cannot be read',
    needs: ['control', 'app'],
    async judge(delivery, rig, context) {
      const real = await rig.createRun();
      const found = await readRun(context, rig, real.id);
      if (!isSuccess(found)) {
        throw new NotApplicable(`reading an existing run gets ${found.status}`);
      }
      const id = String(runOf(delivery.event)['id']);
      const response = await readRun(context, rig, id);
      const expected = `a run id that cannot be read, such as ${id}`;
      expectOf(rig, delivery, !isSuccess(response), expected, response.status);
    },
  }),
];

function testEventCheck({ judge, ...own }: JudgedCheck<JudgeDelivery>): Check {
  return sender.check({
    ...own,
    run: (context) =>
      withRig(context, async (rig) => {
        const { eventId } = await context.control.sendTest(rig.endpoint.id);
        const arrived = (): ReceivedDelivery | undefined =>
          rig.listener.deliveries.find(({ event }) => event['id'] === eventId);
        await rig.until(`test event ${eventId}`, () => arrived() !== undefined);
        const delivery = arrived();
        if (delivery !== undefined) await judge(delivery, rig, context);
      }),
  });
}

function readRun({ api }: CheckContext, { world }: SenderRig, id: string): Promise<ApiResponse> {
  const key = { value: world.keys.wildcard };
  return api.send({ path: `/api/v1/runs/${encodeURIComponent(id)}`, key });
}
