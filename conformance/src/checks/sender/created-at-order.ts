import type { Check } from '../../check-kit/check.ts';
import { dataOf, runOf } from '../../listener/delivery.ts';
import type { ReceivedDelivery } from '../../listener/delivery.ts';
import { about, byEvent, isChange, isCreated } from './arrivals.ts';
import type { Arrivals } from './arrivals.ts';
import { lateChangeOf } from './scenes/late-change.ts';
import { absence } from './absence.ts';
import { expectIn, runsCheck, sender } from './sender-check.ts';

/** Times in whole seconds differ by less. */
const TOLERANCE_MILLISECONDS = 1_000;
const HOUR_MILLISECONDS = 3_600_000;

/** The times of events, by which receivers order them. */
export const senderOrderChecks: readonly Check[] = [
  runsCheck({
    name: 'envelope.created-at-order',
    requirements: ['webhook-envelope.created-at.order'],
    title: 'createdAt of an event is not earlier than that of the event before it in its run',
    judge({ deliveries, runs }, expect) {
      for (const { run } of runs) {
        for (const [before, after] of neighborsIn(about(deliveries, run))) {
          const isOrdered = !(timeOf(after) < timeOf(before) - TOLERANCE_MILLISECONDS);
          const expected = `createdAt from ${String(before.event['createdAt'])} on, that of the event before`;
          expect(after, isOrdered, expected, after.event['createdAt']);
        }
      }
    },
  }),
  sender.check({
    name: 'status-changed.hours-later',
    requirements: ['webhook-event.status-changed.sent'],
    title: 'sends the change of a run that was created two hours before',
    needs: ['driver', 'control.virtual-clock'],
    async run(context) {
      const scene = await lateChangeOf(context);
      if (scene.changes.length > 0) return;
      throw absence(scene, `run.status_changed of ${scene.run.id}, two hours after its creation`);
    },
  }),
  sender.check({
    name: 'envelope.created-at-later',
    requirements: ['webhook-envelope.created-at.order'],
    title: 'createdAt of a change two hours after the creation is later than that of the creation',
    needs: ['driver', 'control.virtual-clock'],
    async run(context) {
      const { deliveries, changes } = await lateChangeOf(context);
      const created = deliveries.find(isCreated);
      const [changed] = changes;
      if (created === undefined || changed === undefined) return;
      const isLater = !(timeOf(changed) < timeOf(created) + HOUR_MILLISECONDS);
      const expected = `a time about two hours after ${String(created.event['createdAt'])}`;
      expectIn(context)(changed, isLater, expected, changed.event['createdAt']);
    },
  }),
];

/** Events that follow each other in a run: the status between them occurs once, so that nothing else stands between. */
function neighborsIn(
  arrivals: Arrivals,
): readonly (readonly [before: ReceivedDelivery, after: ReceivedDelivery])[] {
  const firsts = [...byEvent(arrivals).values()].flatMap(([first]) => first ?? []);
  const entering = new Map<unknown, ReceivedDelivery[]>();
  for (const one of firsts.filter((each) => isCreated(each) || isChange(each))) {
    const status = isCreated(one) ? runOf(one.event)['status'] : dataOf(one.event)['currentStatus'];
    entering.set(status, [...(entering.get(status) ?? []), one]);
  }
  return firsts.filter(isChange).flatMap((after) => {
    const before = entering.get(dataOf(after.event)['previousStatus']) ?? [];
    const [only] = before;
    return only === undefined || before.length > 1 ? [] : [[only, after] as const];
  });
}

function timeOf({ event }: ReceivedDelivery): number {
  return Date.parse(String(event['createdAt']));
}
