import type { Check, CheckContext, Requirements } from '../../check.ts';
import { Violation } from '../../findings.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { show } from '../expect.ts';
import { onStage } from './stage.ts';
import type { SenderStage } from './stage.ts';

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
    effect: 'write',
    needs: ['control'],
    exclusive: 'on-virtual-clock',
    timeoutMilliseconds: 120_000,
    run,
  };
}

/** What a check makes of one delivery: throws when it is not right. */
export type JudgeDelivery = (
  delivery: ReceivedDelivery,
  stage: SenderStage,
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
    onStage(context, async (stage) => {
      const run = await stage.createRun();
      await stage.move(run, 'running');
      await stage.until(
        `deliveries of the events of run ${run.id}`,
        () => stage.about(run).length > 1,
      );
      for (const delivery of stage.about(run)) await judge(delivery, stage, context);
    }),
  );
}

/** Throws a violation that shows the delivery unless the condition holds. */
export function expectOf(
  stage: SenderStage,
  delivery: ReceivedDelivery,
  holds: boolean,
  expected: string,
  actual: unknown,
): void {
  if (holds) return;
  throw new Violation({ expected, actual: show(actual), exchange: stage.exchange(delivery) });
}
