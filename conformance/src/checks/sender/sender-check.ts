import { area } from '../../check-kit/area.ts';
import type { Area, AreaCheck } from '../../check-kit/area.ts';
import type { Check, CheckContext } from '../../check-kit/check.ts';
import { Violation } from '../../verdict/findings.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { show } from '../../check-kit/expect.ts';
import { withRig } from './rig.ts';
import type { SenderRig } from './rig.ts';

/** The frame of all sender checks: they move the virtual clock of the deployment. */
export const sender: Area = area('sender', {
  access: 'write',
  needs: ['control'],
  exclusive: 'on-virtual-clock',
  timeoutMilliseconds: 120_000,
});

/** A check that shares its run with others and has its own judgment. */
export type JudgedCheck<Judge> = Omit<AreaCheck, 'run'> & { readonly judge: Judge };

/** Judges one delivery; throws a violation. */
export type JudgeDelivery = (
  delivery: ReceivedDelivery,
  rig: SenderRig,
  context: CheckContext,
) => Promise<void> | void;

/** A check of each delivery of one run that is created and starts. */
export function deliveryCheck({ judge, ...own }: JudgedCheck<JudgeDelivery>): Check {
  return sender.check({
    ...own,
    run: (context) =>
      withRig(context, async (rig) => {
        const run = await rig.createRun();
        await rig.move(run, 'running');
        await rig.until(`deliveries of run ${run.id}`, () => rig.about(run).length > 1);
        for (const delivery of rig.about(run)) await judge(delivery, rig, context);
      }),
  });
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
