import { strict as assert } from 'node:assert';

import type { Rule } from './rule.ts';
import { nextWait } from './retry.ts';

const DAY = 86_400_000;

/** What a manual redelivery does beside the automatic tries. */
export const redeliveryRules: readonly Rule[] = [
  {
    id: 'redelivery.any-state',
    rule: 'A delivery is made again at once whatever its state: delivered, ended, or waiting for its retry.',
    async holds(lab) {
      for (const status of [200, 400, 503]) {
        const receiver = await lab.receiver({ status }, { status: 204 });
        await lab.redeliver(await receiver.tryOnce());
        await lab.settle();
        const delivery = await receiver.delivery();
        assert.equal(delivery.status, 'delivered');
        const tries = delivery.attempts.map((one) => [one.number, one.trigger, one.status]);
        assert.deepEqual(tries, [
          [1, 'automatic', status],
          [2, 'manual', 204],
        ]);
      }
    },
  },
  {
    id: 'redelivery.fresh-timestamp',
    rule: 'A redelivery has the time at which it is made, and a signature of its own.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 400 }, { status: 200 });
      const delivery = await receiver.tryOnce();
      await lab.advance(7_200_000);
      await lab.redeliver(delivery);
      await lab.settle();
      const [first, second] = (await receiver.delivery()).attempts;
      assert.equal((second?.webhookTimestamp ?? 0) - (first?.webhookTimestamp ?? 0), 7_200);
      const [before, after] = await receiver.exchanges();
      assert.equal(before?.arrived?.body, after?.arrived?.body);
      assert.deepEqual(after?.differs, []);
    },
  },
  {
    id: 'redelivery.cancels-the-automatic-try',
    rule: 'A redelivery that succeeds takes the place of the automatic try.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 503 }, { status: 200 });
      await lab.redeliver(await receiver.tryOnce());
      await lab.advance(DAY);
      assert.equal((await receiver.arrivals()).length, 2);
    },
  },
  {
    id: 'redelivery.plans-anew',
    rule: 'After a redelivery that fails, the next automatic try waits from its end on; the one before is not made.',
    async holds(lab) {
      const headers = { 'Retry-After': '100' };
      const receiver = await lab.receiver(
        { status: 503, headers: { 'Retry-After': '60' } },
        { status: 503, headers },
      );
      const delivery = await receiver.tryOnce();
      await lab.advance(30_000);
      await lab.redeliver(delivery);
      await lab.settle();
      assert.equal(nextWait(await receiver.delivery()), 100_000);
      await lab.advance(99_999);
      assert.equal((await receiver.arrivals()).length, 2);
      await lab.advance(1);
      assert.equal((await receiver.arrivals()).length, 3);
    },
  },
  {
    id: 'redelivery.not-counted',
    rule: 'Redeliveries do not count against the attempts of the profile.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 503 });
      await lab.redeliver(await receiver.tryOnce());
      await lab.settle();
      await lab.redeliver(await receiver.delivery());
      await lab.advance(DAY);
      const { attempts, endReason } = await receiver.delivery();
      const automatic = attempts.filter(({ trigger }) => trigger === 'automatic');
      assert.deepEqual([attempts.length, automatic.length], [10, 8]);
      assert.equal(endReason, 'attempts_exhausted');
    },
  },
  {
    id: 'redelivery.of-exhausted',
    rule: 'A delivery whose attempts are exhausted is made once more, and ends again when that fails.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 503 });
      await receiver.sendTest();
      await lab.advance(DAY);
      await lab.redeliver(await receiver.delivery());
      await lab.advance(DAY);
      const { attempts, endReason } = await receiver.delivery();
      assert.equal(endReason, 'attempts_exhausted');
      assert.deepEqual([attempts.length, attempts.at(-1)?.trigger], [9, 'manual']);
    },
  },
  {
    id: 'redelivery.waits-its-turn',
    rule: 'During an attempt a redelivery waits for its end, and is made also when that succeeds.',
    async holds(lab) {
      const receiver = await lab.receiver(
        { status: 200, afterMilliseconds: 2_000 },
        { status: 200 },
      );
      await receiver.sendTest();
      await lab.settle();
      await lab.redeliver(await receiver.delivery());
      await lab.settle();
      assert.equal((await receiver.arrivals()).length, 1);
      await lab.advance(2_000);
      const { attempts } = await receiver.delivery();
      assert.deepEqual(
        attempts.map(({ trigger }) => trigger),
        ['automatic', 'manual'],
      );
      assert.equal(attempts[1]?.startedAt, attempts[0]?.finishedAt);
    },
  },
  {
    id: 'redelivery.each-asked',
    rule: 'Each redelivery that is asked for is made, one after another.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 200, afterMilliseconds: 100 });
      await receiver.sendTest();
      await lab.advance(100);
      const delivery = await receiver.delivery();
      for (let time = 0; time < 3; time += 1) await lab.redeliver(delivery);
      await lab.advance(DAY);
      const triggers = (await receiver.delivery()).attempts.map(({ trigger }) => trigger);
      assert.deepEqual(triggers, ['automatic', 'manual', 'manual', 'manual']);
    },
  },
];
