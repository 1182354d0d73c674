import { isDeepStrictEqual } from 'node:util';

import type { Check } from '../../check-kit/check.ts';
import { show } from '../../check-kit/expect.ts';
import { firstDifference } from '../../check-kit/first-difference.ts';
import { Inconclusive } from '../../verdict/findings.ts';
import { absence, isLost } from './absence.ts';
import { byEvent, renamedRedeliveries, twinsIn } from './arrivals.ts';
import type { Arrivals } from './arrivals.ts';
import { runsCheck } from './sender-check.ts';
import type { ObservedRuns } from './scenes/observed-runs.ts';
import { valueOf } from './scenes/scene.ts';
import { isSigned } from './signature.ts';

/** Manual redelivery of a delivered event. */
export const senderRedeliveryChecks: readonly Check[] = [
  runsCheck({
    name: 'redelivery.sent',
    requirements: ['delivery.redelivery.sent'],
    title: 'a manual redelivery sends the event again',
    judge(observed) {
      const { eventId, after, twins } = redelivered(observed);
      if (after.length + twins.length > 0) return;
      const { waited } = valueOf(observed.redelivery);
      throw absence({ ...observed, waited }, `redelivery of ${eventId}`);
    },
  }),
  runsCheck({
    name: 'redelivery.same-id',
    requirements: ['delivery.redelivery.same-id'],
    title: 'a manual redelivery has the same event id',
    judge(observed, expect) {
      const { before, after, twins } = redelivered(observed);
      const [first] = before;
      if (after.length + twins.length === 0) throw notSent();
      const id = first?.header('webhook-id');
      for (const delivery of [...after, ...twins]) {
        const again = delivery.header('webhook-id');
        expect(delivery, again === id, `webhook-id ${String(id)}`, again);
      }
    },
  }),
  runsCheck({
    name: 'redelivery.same-payload',
    requirements: ['delivery.redelivery.same-payload'],
    title: 'a manual redelivery has the same event',
    judge(observed, expect) {
      const { before, after } = redelivered(observed);
      const [first] = before;
      if (after.length === 0) throw notSent();
      for (const delivery of after) {
        const isSame =
          first === undefined ||
          before.some(({ event }) => isDeepStrictEqual(event, delivery.event));
        const found = firstDifference(first?.event, delivery.event);
        const expected = `${found?.path} ${show(found?.before)}, as before`;
        expect(delivery, isSame, expected, found?.after);
      }
    },
  }),
  runsCheck({
    name: 'redelivery.same-bytes',
    requirements: ['delivery.redelivery.same-bytes'],
    title: 'a manual redelivery has the same bytes',
    judge(observed, expect) {
      const { before, after } = redelivered(observed);
      const [first] = before;
      if (after.length === 0) throw notSent();
      for (const delivery of after) {
        // Whatever was lost may have had these bytes: a retry, which arrived first, need not have them.
        const isSame =
          first === undefined ||
          before.some(({ body }) => body.equals(delivery.body)) ||
          (isLost(observed, first) && isDeepStrictEqual(first.event, delivery.event));
        expect(delivery, isSame, String(first?.body), String(delivery.body));
      }
    },
  }),
  runsCheck({
    name: 'redelivery.signed',
    requirements: ['signature.message.signed', 'delivery.redelivery.sent'],
    title: 'a manual redelivery has a signature that matches its own timestamp',
    judge(observed, expect) {
      const { after } = redelivered(observed);
      if (after.length === 0) throw notSent();
      for (const delivery of after) {
        const value = delivery.header('webhook-signature');
        const expected = 'a signature that matches this id, timestamp and body';
        expect(delivery, isSigned(delivery, observed), expected, value);
      }
    },
  }),
];

/** The deliveries of the event before it was asked for again and after, and those of its content under other ids. */
function redelivered(observed: ObservedRuns): {
  readonly eventId: string;
  readonly before: Arrivals;
  readonly after: Arrivals;
  readonly twins: Arrivals;
} {
  const asked = valueOf(observed.redelivery);
  const { eventId, arrivedBefore } = asked;
  const all = byEvent(observed.deliveries).get(eventId) ?? [];
  const twins = twinsIn(observed.deliveries)
    .filter(({ first }) => first.event['id'] === eventId)
    .map(({ twin }) => twin);
  const renamed = renamedRedeliveries(observed.deliveries, asked).filter(
    (one) => !twins.includes(one),
  );
  return {
    eventId,
    before: all.slice(0, arrivedBefore),
    after: all.slice(arrivedBefore),
    twins: [...twins, ...renamed],
  };
}

function notSent(): Inconclusive {
  return new Inconclusive('Cannot judge: the event did not come again.');
}
