import type { Check, CheckContext, Requirements } from '../../check-kit/check.ts';
import { Violation } from '../../verdict/findings.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { show } from '../../check-kit/expect.ts';
import { withRig } from './rig.ts';
import type { SenderRig } from './rig.ts';

/** What all checks of a sender have alike: they move a virtual clock of the deployment. */
export function senderCheck(
  name: string,
  requirements: Requirements,
  title: string,
  run: (context: CheckContext) => Promise<void>,
): Check {
  return {
    id: `sender.${name}`,
    requirements,
    side: 'sender',
    title,
    access: 'write',
    needs: ['control'],
    exclusive: 'on-virtual-clock',
    timeoutMilliseconds: 120_000,
    run,
  };
}

/** What a check makes of one delivery: throws when it is not right. */
export type JudgeDelivery = (
  delivery: ReceivedDelivery,
  rig: SenderRig,
  context: CheckContext,
) => Promise<void> | void;

/** A check that judges each delivery of one run, which is created and starts to run. */
export function deliveryCheck(
  name: string,
  requirements: Requirements,
  title: string,
  judge: JudgeDelivery,
): Check {
  return senderCheck(name, requirements, title, (context) =>
    withRig(context, async (rig) => {
      const run = await rig.createRun();
      await rig.move(run, 'running');
      await rig.until(`deliveries of the events of run ${run.id}`, () => rig.about(run).length > 1);
      for (const delivery of rig.about(run)) await judge(delivery, rig, context);
    }),
  );
}

/** Throws a violation that shows the delivery unless the condition holds. */
export function expectOf(
  rig: SenderRig,
  delivery: ReceivedDelivery,
  holds: boolean,
  expected: string,
  actual: unknown,
): void {
  if (holds) return;
  throw new Violation({ expected, actual: show(actual), exchange: rig.exchange(delivery) });
}
