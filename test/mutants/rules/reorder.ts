import { strict as assert } from 'node:assert';

import type { Rule } from './rule.ts';
import type { Receiver } from './server-client.ts';

/** The pathology `reorder`: what is gathered, and how it is sent. */
export const reorderRules: readonly Rule[] = [
  {
    id: 'reorder.last-first',
    rule: 'reorder: two deliveries are gathered and come last first, each after the one before was answered.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 200, afterMilliseconds: 500 });
      await lab.plant({ name: 'reorder', endpointId: receiver.endpoint.id });
      const startedAt = await lab.now();
      await receiver.sendTest(2);
      await lab.advance(5_000);
      const sent = (await receiver.deliveries()).map(({ eventId }) => eventId);
      assert.deepEqual(await arrivedEvents(receiver), sent.toReversed());
      const times = (await receiver.arrivals()).map(({ at }) => Date.parse(at) - startedAt);
      assert.deepEqual(times, [0, 500]);
    },
  },
  {
    id: 'reorder.gathers',
    rule: 'reorder: nothing leaves before as many are there as were ordered.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id: endpointId } = receiver.endpoint;
      await lab.plant({ name: 'reorder', endpointId, deliveries: 3 });
      await receiver.sendTest(2);
      await lab.advance(1_000);
      assert.equal((await receiver.arrivals()).length, 0);
      await receiver.sendTest(2);
      await lab.settle();
      const [first, second, third, fourth] = (await receiver.deliveries()).map(
        ({ eventId }) => eventId,
      );
      const arrived = await arrivedEvents(receiver);
      assert.deepEqual(
        arrived.filter((id) => id !== fourth),
        [third, second, first],
      );
      assert.equal(arrived.length, 4);
    },
  },
  {
    id: 'reorder.no-longer-than',
    rule: 'reorder: what has gathered goes once the first of them has waited for the time that was ordered.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id: endpointId } = receiver.endpoint;
      await lab.plant({ name: 'reorder', endpointId, deliveries: 5, holdMilliseconds: 8_000 });
      await receiver.sendTest();
      await lab.advance(3_000);
      await receiver.sendTest();
      await lab.advance(4_999);
      assert.equal((await receiver.arrivals()).length, 0);
      await lab.advance(1);
      const sent = (await receiver.deliveries()).map(({ eventId }) => eventId);
      assert.deepEqual(await arrivedEvents(receiver), sent.toReversed());
    },
  },
  {
    id: 'reorder.run',
    rule: 'reorder: for a run, all of its events are gathered until it is terminal, and then come last first.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const run = await lab.run({ pathologies: [{ name: 'reorder' }] });
      await lab.move(run, 'running', 'finalizing');
      await lab.settle();
      assert.equal((await receiver.arrivals()).length, 0);
      await lab.move(run, 'completed');
      await lab.settle();
      const sent = (await receiver.deliveries()).map(({ eventId }) => eventId);
      assert.equal(sent.length, 4);
      assert.deepEqual(await arrivedEvents(receiver), sent.toReversed());
    },
  },
  {
    id: 'reorder.one-endpoint',
    rule: 'reorder: without an endpoint, it gathers deliveries to the endpoint that it strikes first.',
    async holds(lab) {
      const [first, second] = [await lab.receiver(), await lab.receiver()];
      await lab.plant({ name: 'reorder' });
      await first.sendTest();
      await lab.settle();
      await second.sendTest();
      await lab.settle();
      assert.equal((await second.arrivals()).length, 1);
      await first.sendTest();
      await lab.settle();
      const sent = (await first.deliveries()).map(({ eventId }) => eventId);
      assert.deepEqual(await arrivedEvents(first), sent.toReversed());
    },
  },
  {
    id: 'reorder.asked-for',
    rule: 'reorder: one that somebody asks for goes at once.',
    async holds(lab) {
      const receiver = await lab.receiver();
      await lab.plant({ name: 'reorder', endpointId: receiver.endpoint.id });
      await lab.redeliver(await receiver.tryOnce());
      await lab.settle();
      assert.equal((await receiver.arrivals()).length, 1);
    },
  },
];

async function arrivedEvents(receiver: Receiver): Promise<(string | undefined)[]> {
  return (await receiver.arrivals()).map(
    ({ headers }) => headers.find(([name]) => name === 'webhook-id')?.[1],
  );
}
