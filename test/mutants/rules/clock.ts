import { strict as assert } from 'node:assert';

import type { RunSnapshot } from '@hookproof/spec';

import type { Rule } from './rule.ts';

/** What happens when the clock is moved. */
export const clockRules: readonly Rule[] = [
  {
    id: 'clock.lands',
    rule: 'An advance ends just so much later, whatever fell due on the way, and time stands still until the next.',
    async holds(lab) {
      const before = await lab.now();
      const receiver = await lab.receiver({ status: 503 });
      await receiver.sendTest();
      await lab.advance(123_457);
      assert.equal((await lab.now()) - before, 123_457);
      assert.equal((await lab.now()) - before, 123_457);
    },
  },
  {
    id: 'clock.by-due-time',
    rule: 'What falls due fires by due time, and the clock stands at that time meanwhile.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const before = await lab.now();
      for (const milliseconds of [3_000, 1_000, 2_000]) {
        await lab.plant({ name: 'delay', milliseconds, endpointId: receiver.endpoint.id });
      }
      await receiver.sendTest(3);
      await lab.advance(10_000);
      const times = (await receiver.arrivals()).map(({ at }) => Date.parse(at) - before);
      assert.deepEqual(times, [1_000, 2_000, 3_000]);
    },
  },
  {
    id: 'clock.same-moment',
    rule: 'What falls due in the same millisecond fires in the order in which it was set.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id: endpointId } = receiver.endpoint;
      await lab.plant({ name: 'delay', milliseconds: 1_000, endpointId, deliveries: 8 });
      await receiver.sendTest(8);
      await lab.advance(1_000);
      const sent = (await receiver.exchanges()).map((exchange) => exchange.sent?.eventId);
      assert.deepEqual(
        sent,
        (await receiver.deliveries()).map(({ eventId }) => eventId),
      );
    },
  },
  {
    id: 'clock.chains',
    rule: 'What a thing that fell due sets in turn fires in the same advance: a whole course of attempts in one step.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 503 }, { status: 503 }, { status: 200 });
      await receiver.sendTest();
      await lab.advance(3 * 86_400_000);
      const { status, attempts } = await receiver.delivery();
      assert.deepEqual([status, attempts.length], ['delivered', 3]);
      const span =
        Date.parse(attempts[2]?.startedAt ?? '') - Date.parse(attempts[0]?.startedAt ?? '');
      assert.ok(span <= 10_000, `${span} ms`);
    },
  },
  {
    id: 'clock.waits-for-answers',
    rule: 'An advance ends when the deliveries that fell due on the way have their answers, also the last.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id: endpointId } = receiver.endpoint;
      await lab.plant({ name: 'delay', milliseconds: 1_000, endpointId, deliveries: 10 });
      await receiver.sendTest(10);
      await lab.advance(1_000);
      const statuses = (await receiver.deliveries()).map(({ status }) => status);
      assert.deepEqual(
        statuses,
        Array.from({ length: 10 }, () => 'delivered'),
      );
    },
  },
  {
    id: 'clock.course',
    rule: 'A run with a course makes its moves at their times, each with its event.',
    async holds(lab) {
      const before = await lab.now();
      const steps = ['running', 'waiting', 'running', 'finalizing', 'completed'];
      const course = steps.map((status) => ({ status, afterMilliseconds: 60_000 }));
      const { id } = await lab.run({ course });
      await lab.advance(299_999);
      const run = await lab.control<RunSnapshot>('GET', `/runs/${id}`);
      assert.deepEqual([run.status, run.completedAt], ['finalizing', null]);
      await lab.advance(1);
      const times = (await lab.events(`?runId=${id}`)).map(
        ({ createdAt }) => Date.parse(createdAt) - before,
      );
      assert.deepEqual(times, [0, 60_000, 120_000, 180_000, 240_000, 300_000]);
    },
  },
];
