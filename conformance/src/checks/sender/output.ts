import type { Check } from '../../check-kit/check.ts';
import { runOf } from '../../listener/delivery.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { about } from './arrivals.ts';
import type { Arrivals } from './arrivals.ts';
import { deliveryCheck, runsCheck } from './sender-check.ts';
import { valueOf } from './scenes/scene.ts';

/** Events whose output was removed. */
export const senderOutputChecks: readonly Check[] = [
  deliveryCheck({
    name: 'run.output-omitted',
    requirements: ['webhook-run.output-omitted'],
    title: 'an event with outputOmitted true has no output',
    judge(delivery, _scene, expect) {
      const { output = null, outputOmitted = false } = runOf(delivery.event);
      const isBoolean = typeof outputOmitted === 'boolean';
      expect(delivery, isBoolean, 'outputOmitted true or false', outputOmitted);
      const isBoth = outputOmitted === true && output !== null;
      expect(delivery, !isBoth, 'no output beside outputOmitted true', 'both');
    },
  }),
  runsCheck({
    name: 'run.output-marked',
    requirements: ['webhook-run.output-omitted'],
    title: 'an event from which a large output was removed has outputOmitted true',
    judge({ deliveries, runs, large }, expect) {
      const { run } = valueOf(large);
      const whole = runs.filter(({ wanted }) => wanted.output !== undefined);
      const shown = whole.flatMap((one) => about(deliveries, one.run).filter(hasOutput));
      // A valid sender may show an output only in some events: compare with such events only.
      for (const delivery of about(deliveries, run).filter((one) => isLike(one, shown))) {
        const isMarked = hasOutput(delivery) || runOf(delivery.event)['outputOmitted'] === true;
        expect(delivery, isMarked, 'output, or outputOmitted true', 'neither');
      }
    },
  }),
];

function hasOutput({ event }: ReceivedDelivery): boolean {
  const { output = null } = runOf(event);
  return output !== null;
}

/** Whether one of the others is of the same type and status. */
function isLike({ event }: ReceivedDelivery, others: Arrivals): boolean {
  return others.some(
    (other) =>
      other.event['type'] === event['type'] &&
      runOf(other.event)['status'] === runOf(event)['status'] &&
      runOf(other.event)['type'] === runOf(event)['type'],
  );
}
