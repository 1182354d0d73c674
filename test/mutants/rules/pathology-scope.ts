import { strict as assert } from 'node:assert';

import type { Pathology } from '@hookproof/spec/control';

import type { Rule } from './rule.ts';
import { only } from './server-client.ts';
import type { Receiver } from './server-client.ts';

const DEFAULTS = {
  duplicate: { copies: 1, apartMilliseconds: 0 },
  reorder: { holdMilliseconds: 60_000, deliveries: 2 },
  delay: { milliseconds: 5_000 },
  'drop-then-redeliver': {},
  'stale-timestamp': { seconds: 600 },
  'future-timestamp': { seconds: 600 },
  'wrong-secret': {},
  'tampered-body': {},
  'truncated-body': {},
  'slow-drip': { milliseconds: 5_000, pieces: 10 },
};
const MOST_PLANTED = 100;

/** Which deliveries a pathology strikes, and in which order. */
export const pathologyScopeRules: readonly Rule[] = [
  {
    id: 'pathology.next-n',
    rule: 'A pathology strikes just so many of the next deliveries as it is told.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { endpoint } = receiver;
      await lab.plant({ name: 'wrong-secret', endpointId: endpoint.id, deliveries: 3 });
      await receiver.sendTest(5);
      await lab.settle();
      assert.deepEqual(await afflictions(receiver), [...times(3, 'wrong-secret'), null, null]);
    },
  },
  {
    id: 'pathology.endpoint-only',
    rule: 'A pathology for an endpoint strikes no other.',
    async holds(lab) {
      const [meant, other] = [await lab.receiver(), await lab.receiver()];
      await lab.plant({ name: 'wrong-secret', endpointId: meant.endpoint.id, deliveries: 10 });
      await lab.run();
      await lab.settle();
      assert.deepEqual(await afflictions(meant), ['wrong-secret']);
      assert.deepEqual(await afflictions(other), [null]);
    },
  },
  {
    id: 'pathology.run-only',
    rule: 'A pathology for a run strikes all of its deliveries, and none of another run.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const [meant, other] = [await lab.run(), await lab.run()];
      await lab.settle();
      await lab.plant({ name: 'wrong-secret', runId: meant.id });
      for (const run of [other, meant]) await lab.move(run, 'running', 'finalizing', 'completed');
      await lab.settle();
      const struck = new Map(
        (await receiver.deliveries()).map(({ runId, attempts }) => [
          `${runId} ${attempts[0]?.pathology}`,
          runId,
        ]),
      );
      assert.deepEqual(
        [...struck.keys()].toSorted(),
        [`${meant.id} null`, `${meant.id} wrong-secret`, `${other.id} null`].toSorted(),
      );
      const all = (await receiver.deliveries()).filter(
        ({ attempts }) => attempts[0]?.pathology != null,
      );
      assert.equal(all.length, 3);
    },
  },
  {
    id: 'pathology.from-the-first-event',
    rule: 'Pathologies that come with a run strike it from its first event on.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id } = await lab.run({ pathologies: [{ name: 'wrong-secret' }] });
      await lab.settle();
      assert.deepEqual(await afflictions(receiver), ['wrong-secret']);
      const all = (await lab.control<{ data: Pathology[] }>('GET', '/pathologies')).data;
      assert.equal(only(all).runId, id);
    },
  },
  {
    id: 'pathology.in-order',
    rule: 'Of several that match, the one that was planted first strikes, and then the next that has room.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id: endpointId } = receiver.endpoint;
      for (const name of ['tampered-body', 'wrong-secret', 'stale-timestamp']) {
        await lab.plant({ name, endpointId });
      }
      for (let time = 0; time < 4; time += 1) {
        await receiver.sendTest();
        await lab.settle();
      }
      const expected = ['tampered-body', 'wrong-secret', 'stale-timestamp', null];
      assert.deepEqual(await afflictions(receiver), expected);
    },
  },
  {
    id: 'pathology.once',
    rule: 'A pathology strikes a delivery once, however much room it has.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 503 }, { status: 200 });
      const { id: endpointId } = receiver.endpoint;
      await lab.plant({ name: 'wrong-secret', endpointId, deliveries: 10 });
      await receiver.sendTest();
      await lab.advance(60_000);
      const { attempts } = await receiver.delivery();
      assert.deepEqual(
        attempts.map(({ pathology }) => pathology),
        ['wrong-secret', null],
      );
    },
  },
  {
    id: 'pathology.redelivery-too',
    rule: 'It strikes the next attempt, also one that somebody asks for.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const delivery = await receiver.tryOnce();
      await lab.plant({ name: 'wrong-secret', endpointId: receiver.endpoint.id });
      await lab.redeliver(delivery);
      await lab.settle();
      const { attempts } = await receiver.delivery();
      assert.deepEqual(
        attempts.map(({ pathology }) => pathology),
        [null, 'wrong-secret'],
      );
    },
  },
  {
    id: 'pathology.told',
    rule: 'A pathology tells what it has struck and when; the sink says what befell each request.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const order = { name: 'tampered-body', endpointId: receiver.endpoint.id, deliveries: 2 };
      const { id } = await lab.plant(order);
      const at = new Date(await lab.now()).toISOString();
      await receiver.sendTest(3);
      await lab.settle();
      const { hits, struck } = await lab.wait<Pathology>({ for: 'pathology', id, hits: 2 });
      const deliveries = (await receiver.deliveries()).slice(0, 2);
      assert.equal(hits, 2);
      assert.deepEqual(
        struck,
        deliveries.map(({ id: deliveryId, eventId }) => ({ at, deliveryId, eventId })),
      );
      const told = (await receiver.exchanges()).map(({ sent }) => sent?.pathology);
      assert.deepEqual(told, ['tampered-body', 'tampered-body', null]);
    },
  },
  {
    id: 'pathology.removed',
    rule: 'What is removed strikes no more; the others stay.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id: endpointId } = receiver.endpoint;
      const { id } = await lab.plant({ name: 'tampered-body', endpointId });
      await lab.plant({ name: 'wrong-secret', endpointId });
      await lab.control('DELETE', `/pathologies/${id}`);
      await lab.refusal('DELETE', `/pathologies/${id}`);
      await receiver.tryOnce();
      assert.deepEqual(await afflictions(receiver), ['wrong-secret']);
    },
  },
  {
    id: 'pathology.cleared',
    rule: 'All of them can be removed at once.',
    async holds(lab) {
      const receiver = await lab.receiver();
      for (const name of ['tampered-body', 'wrong-secret']) await lab.plant({ name });
      await lab.control('DELETE', '/pathologies');
      await receiver.tryOnce();
      assert.deepEqual(await afflictions(receiver), [null]);
    },
  },
  {
    id: 'pathology.full',
    rule: 'At most 100 lie in wait at once; a run whose pathologies find no room is not created.',
    async holds(lab) {
      const planting = Array.from({ length: MOST_PLANTED }, () => lab.plant({ name: 'delay' }));
      await Promise.all(planting);
      const { issues } = await lab.refusal('POST', '/pathologies', { name: 'delay' });
      assert.equal(only(issues).code, 'too_many_pathologies');
      const before = await lab.api('/v1/runs');
      await lab.refusal('POST', '/runs', { pathologies: [{ name: 'delay' }] });
      assert.equal((await lab.api('/v1/runs')).text, before.text);
    },
  },
  {
    id: 'pathology.spent',
    rule: 'Where there is no room, those that have struck as many as they were told give their place up, also to those of a run.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id: endpointId } = receiver.endpoint;
      for (let time = 0; time < 2; time += 1) await lab.plant({ name: 'wrong-secret', endpointId });
      const { id: runId } = await lab.run();
      await lab.settle();
      const rest = Array.from({ length: MOST_PLANTED - 2 }, () =>
        lab.plant({ name: 'delay', runId }),
      );
      await Promise.all(rest);
      await lab.plant({ name: 'delay', runId });
      await lab.refusal('POST', '/pathologies', { name: 'delay' });
      await receiver.sendTest();
      await lab.settle();
      await lab.run({ pathologies: [{ name: 'delay' }] });
    },
  },
  {
    id: 'pathology.defaults',
    rule: 'What an order leaves out has the default that the page names.',
    async holds(lab) {
      for (const [name, filled] of Object.entries(DEFAULTS)) {
        const {
          id: _id,
          plantedAt: _plantedAt,
          hits,
          struck,
          ...order
        } = await lab.plant({ name });
        assert.deepEqual({ hits, struck }, { hits: 0, struck: [] });
        assert.deepEqual(order, { deliveries: 1, name, ...filled });
      }
    },
  },
];

/** What befell the first attempt of each delivery, in the order of the events. */
async function afflictions(receiver: Receiver): Promise<(string | null | undefined)[]> {
  return (await receiver.deliveries()).map(({ attempts }) => attempts[0]?.pathology);
}

function times<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}
