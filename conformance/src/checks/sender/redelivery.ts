import type { Check, Requirements } from '../../check.ts';
import { Inconclusive } from '../../findings.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { expectOf, senderCheck } from './sender-check.ts';
import { onStage } from './stage.ts';
import type { SenderStage } from './stage.ts';

/** Manual redelivery of an event that was delivered. */
export const senderRedeliveryChecks: readonly Check[] = [
  redelivery(
    'redelivery.same-id',
    ['delivery.redelivery.same-id'],
    'a manual redelivery has the same event id',
    (first, second, stage) => {
      const id = first.header('webhook-id');
      const again = second.header('webhook-id');
      expectOf(stage, second, again === id, `webhook-id ${String(id)}`, again);
    },
  ),
  redelivery(
    'redelivery.same-payload',
    ['delivery.redelivery.same-payload'],
    'a manual redelivery carries the same bytes',
    (first, second, stage) => {
      const text = second.body.toString('utf8');
      expectOf(stage, second, first.body.equals(second.body), first.body.toString('utf8'), text);
    },
  ),
];

function redelivery(
  name: string,
  requirements: Requirements,
  title: string,
  judge: (first: ReceivedDelivery, second: ReceivedDelivery, stage: SenderStage) => void,
): Check {
  return senderCheck(name, requirements, title, (context) =>
    onStage(context, async (stage) => {
      const { control } = context;
      const run = await stage.createRun();
      await stage.until(`an event of ${run.id}`, () => stage.about(run).length > 0);
      const [delivery] = await control.deliveries({
        endpointId: stage.endpoint.id,
        runId: run.id,
      });
      if (delivery === undefined) {
        throw new Inconclusive(`the control interface lists no delivery for the run ${run.id}`);
      }
      await control.waitForDelivery(delivery.id, { status: 'delivered' });
      await control.redeliver(delivery.id);
      await stage.until(`the redelivery of ${delivery.id}`, () => stage.about(run).length > 1);
      const [first, second] = stage.about(run);
      if (first !== undefined && second !== undefined) judge(first, second, stage);
    }),
  );
}
