import { strict as assert } from 'node:assert';

import type { Lab } from './lab.ts';
import type { Rule } from './rule.ts';
import { only } from './server-client.ts';

/** What can be waited for, and what is no reason to end a wait. */
export const waitRules: readonly Rule[] = [
  {
    id: 'wait.delivery',
    rule: 'A wait for a delivery ends when it is no longer pending, or has the status and the attempts that were named.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 503 }, { status: 200 });
      const { id } = await receiver.tryOnce();
      await refused(lab, { for: 'delivery', id });
      await lab.wait({ for: 'delivery', id, attempts: 1 });
      await refused(lab, { for: 'delivery', id, attempts: 2 });
      await refused(lab, { for: 'delivery', id, status: 'delivered', attempts: 1 });
      await lab.advance(60_000);
      await lab.wait({ for: 'delivery', id });
      await lab.wait({ for: 'delivery', id, status: 'delivered', attempts: 2 });
      await refused(lab, { for: 'delivery', id, status: 'delivered', attempts: 3 });
    },
  },
  {
    id: 'wait.deliveries',
    rule: 'A wait for deliveries ends when so many are there and none of them is pending.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 200 }, { status: 503 }, { status: 200 });
      const { id: endpointId } = receiver.endpoint;
      const condition = { for: 'deliveries', endpointId };
      await refused(lab, condition);
      await receiver.tryOnce();
      await lab.wait(condition);
      await refused(lab, { ...condition, count: 2 });
      await receiver.sendTest();
      await lab.settle();
      await refused(lab, { ...condition, count: 2 });
      await lab.advance(60_000);
      const { data } = await lab.wait<{ data: unknown[] }>({ ...condition, count: 2 });
      assert.equal(data.length, 2);
    },
  },
  {
    id: 'wait.deliveries-of-a-run',
    rule: 'A wait for the deliveries of a run looks at no other.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id: runId } = await lab.run();
      await lab.settle();
      await receiver.change({ url: (await lab.sink([{ hang: true }])).url });
      await lab.run();
      await lab.settle();
      const { data } = await lab.wait<{ data: { runId: string }[] }>({ for: 'deliveries', runId });
      assert.equal(only(data).runId, runId);
    },
  },
  {
    id: 'wait.run',
    rule: 'A wait for a run ends when it is terminal, or has the status that was named.',
    async holds(lab) {
      const run = await lab.run();
      const { id } = run;
      await lab.wait({ for: 'run', id, status: 'pending' });
      await refused(lab, { for: 'run', id });
      await lab.move(run, 'running');
      await refused(lab, { for: 'run', id, status: 'pending' });
      await refused(lab, { for: 'run', id });
      await lab.move(run, 'cancelled');
      await lab.wait({ for: 'run', id });
    },
  },
  {
    id: 'wait.sink',
    rule: 'A wait for a sink ends when so many requests have arrived.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id } = receiver.sink;
      await receiver.tryOnce();
      await lab.wait({ for: 'sink', id, arrived: 1 });
      await refused(lab, { for: 'sink', id, arrived: 2 });
    },
  },
  {
    id: 'wait.hits',
    rule: 'A wait for a fault or a pathology ends when it has struck so often.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const order = { name: 'wrong-secret', endpointId: receiver.endpoint.id, deliveries: 5 };
      const pathology = await lab.plant(order);
      const fault = await lab.fault({ match: {}, effect: { status: 500 } });
      await receiver.tryOnce();
      await lab.api('/v1/auth/check');
      for (const [noun, { id }] of [
        ['pathology', pathology],
        ['fault', fault],
      ] as const) {
        await lab.wait({ for: noun, id, hits: 1 });
        await refused(lab, { for: noun, id, hits: 2 });
      }
    },
  },
  {
    id: 'wait.idle',
    rule: 'A wait for idleness ends when nothing is under way and nothing is due; a retry that lies ahead does not count.',
    async holds(lab) {
      const receiver = await lab.receiver({ hang: true }, { status: 503 });
      await lab.wait({ for: 'idle' });
      await receiver.sendTest();
      await lab.settle();
      await refused(lab, { for: 'idle' });
      await lab.advance(10_000);
      await lab.wait({ for: 'idle' });
    },
  },
  {
    id: 'wait.told',
    rule: 'A wait that has begun before ends as soon as its state comes.',
    async holds(lab) {
      const receiver = await lab.receiver({ hang: true });
      const { id } = receiver.sink;
      const waiting = lab.wait<{ arrived: number }>({ for: 'sink', id, arrived: 1 });
      await lab.now();
      await receiver.sendTest();
      assert.equal((await waiting).arrived, 1);
    },
  },
  {
    id: 'wait.unknown',
    rule: 'A wait for something that is not there is refused at once.',
    async holds(lab) {
      const id = 'nobody_1';
      for (const condition of [
        { for: 'delivery', id },
        { for: 'run', id },
        { for: 'sink', id, arrived: 1 },
        { for: 'fault', id, hits: 1 },
        { for: 'pathology', id, hits: 1 },
      ]) {
        const { issues } = await lab.refusal('POST', '/wait', condition);
        assert.equal(only(issues).code, 'not_found');
      }
    },
  },
];

/** It ends without having come, and says what stands there instead. */
async function refused(lab: Lab, condition: object): Promise<void> {
  const { issues } = await lab.refusal('POST', '/wait', { ...condition, timeoutMilliseconds: 1 });
  assert.equal(only(issues).code, 'timed_out');
}
