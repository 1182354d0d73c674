import type { Check } from '../../check-kit/check.ts';
import { Inconclusive } from '../../verdict/findings.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { expectOf, sender } from './sender-check.ts';
import type { JudgedCheck } from './sender-check.ts';
import { withRig } from './rig.ts';
import type { SenderRig } from './rig.ts';

/** Manual redelivery of a delivered event. */
export const senderRedeliveryChecks: readonly Check[] = [
  redelivery({
    name: 'redelivery.same-id',
    requirements: ['delivery.redelivery.same-id'],
    title: 'a manual redelivery has the same event id',
    judge(first, second, rig) {
      const id = first.header('webhook-id');
      const again = second.header('webhook-id');
      expectOf(rig, second, again === id, `webhook-id ${String(id)}`, again);
    },
  }),
  redelivery({
    name: 'redelivery.same-payload',
    requirements: ['delivery.redelivery.same-payload'],
    title: 'a manual redelivery has the same bytes',
    judge(first, second, rig) {
      const text = second.body.toString('utf8');
      expectOf(rig, second, first.body.equals(second.body), first.body.toString('utf8'), text);
    },
  }),
];

function redelivery({
  judge,
  ...own
}: JudgedCheck<
  (first: ReceivedDelivery, second: ReceivedDelivery, rig: SenderRig) => void
>): Check {
  return sender.check({
    ...own,
    run: (context) =>
      withRig(context, async (rig) => {
        const { control } = context;
        const run = await rig.createRun();
        await rig.until(`event of ${run.id}`, () => rig.about(run).length > 0);
        const [delivery] = await control.deliveries({
          endpointId: rig.endpoint.id,
          runId: run.id,
        });
        if (delivery === undefined) {
          throw new Inconclusive(
            `Cannot judge: the control interface lists no delivery of run ${run.id}.`,
          );
        }
        await control.waitForDelivery(delivery.id, { status: 'delivered' });
        await control.redeliver(delivery.id);
        await rig.until(`redelivery of ${delivery.id}`, () => rig.about(run).length > 1);
        const [first, second] = rig.about(run);
        if (first !== undefined && second !== undefined) judge(first, second, rig);
      }),
  });
}
