import { strict as assert } from 'node:assert';
import { createHmac } from 'node:crypto';

import type { Lab } from './lab.ts';
import type { Rule } from './rule.ts';
import { only } from './server-client.ts';

const PAYLOAD_LIMIT_BYTES = 262_144;

/** Which events there are, for whom, and what they hold. */
export const eventRules: readonly Rule[] = [
  {
    id: 'event.one-for-each-move',
    rule: 'A run has one event of its creation and one of each move, in their order, whether anybody listens or not.',
    async holds(lab) {
      const run = await lab.run();
      await lab.move(run, 'running', 'waiting', 'running', 'finalizing', 'completed');
      const events = (await lab.events(`?runId=${run.id}`)).map(({ type, payload }) => {
        const { data } = JSON.parse(payload) as { data: { previousStatus?: string } };
        return [type, data.previousStatus];
      });
      const moved = ['pending', 'running', 'waiting', 'running', 'finalizing'];
      assert.deepEqual(events, [
        ['run.created', undefined],
        ...moved.map((status) => ['run.status_changed', status]),
      ]);
    },
  },
  {
    id: 'event.refused-move',
    rule: 'A move that is refused changes nothing and has no event.',
    async holds(lab) {
      const run = await lab.run();
      await lab.refusal('POST', `/runs/${run.id}/moves`, { status: 'completed' });
      assert.equal((await lab.events(`?runId=${run.id}`)).length, 1);
    },
  },
  {
    id: 'event.other-world',
    rule: 'No event goes to the endpoint of another world.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id: worldId } = await lab.control<{ id: string }>('POST', '/worlds', {});
      await lab.control('POST', '/runs', { worldId });
      await lab.settle();
      assert.deepEqual(await receiver.deliveries(), []);
    },
  },
  {
    id: 'event.neighbour',
    rule: 'No event of the neighbour goes to an endpoint of the tenant.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { fixtures } = await lab.world();
      await lab.run({ automationId: fixtures['otherTenantAutomationId'] });
      await lab.settle();
      assert.deepEqual(await receiver.deliveries(), []);
    },
  },
  {
    id: 'event.each-endpoint',
    rule: 'Each endpoint of the tenant gets each event, signed with its own secret.',
    async holds(lab) {
      const receivers = [await lab.receiver(), await lab.receiver()];
      await lab.run();
      await lab.settle();
      for (const receiver of receivers) {
        const { headers, body = '' } = only(await receiver.arrivals());
        const header = new Map(
          headers.map(([name = '', value = '']) => [name.toLowerCase(), value]),
        );
        const digest = createHmac('sha256', receiver.endpoint.secret)
          .update(`${header.get('webhook-id')}.${header.get('webhook-timestamp')}.${body}`)
          .digest('hex');
        assert.equal(header.get('webhook-signature'), `v1,${digest}`);
      }
    },
  },
  {
    id: 'event.shown',
    rule: 'The payload of an event is shown byte for byte as it is sent.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id } = await lab.run({ output: { umlaut: 'ä', sign: '€', number: 1.5 } });
      await lab.settle();
      const { payload } = only(await lab.events(`?runId=${id}`));
      assert.equal(only(await receiver.arrivals()).body, payload);
    },
  },
  {
    id: 'event.fixed',
    rule: 'What an event says of its run is fixed when it happens, whatever the run has become.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 503 }, { status: 200 });
      const run = await lab.run();
      await lab.settle();
      await lab.move(run, 'running');
      await lab.advance(60_000);
      const [first, second] = await receiver.arrivals();
      const [, , third] = await receiver.arrivals();
      const created = [first, second, third].filter((one) => one?.body?.includes('"run.created"'));
      assert.equal(created.length, 2);
      assert.equal(created[0]?.body, created[1]?.body);
    },
  },
  {
    id: 'event.limit',
    rule: 'A body of 262144 bytes has its output; with one byte more it says outputOmitted instead.',
    async holds(lab) {
      const [fits, exceeds] = await aroundLimit(lab, 'x');
      assert.equal(Buffer.byteLength(fits), PAYLOAD_LIMIT_BYTES);
      assert.ok(!fits.includes('outputOmitted'));
      assert.ok(exceeds.includes('"outputOmitted":true') && !exceeds.includes('"output":'));
    },
  },
  {
    id: 'event.limit-in-bytes',
    rule: 'The limit counts bytes, not characters.',
    async holds(lab) {
      const [fits, exceeds] = await aroundLimit(lab, 'ä');
      assert.ok(fits.includes('"output":') && exceeds.includes('"outputOmitted":true'));
    },
  },
  {
    id: 'event.output-readable',
    rule: 'An output that was omitted is readable in full at the API.',
    async holds(lab) {
      const output = 'x'.repeat(PAYLOAD_LIMIT_BYTES + 1);
      const { id } = await lab.run({ output });
      for (const path of [`/v1/runs/${id}`, `/api/v1/runs/${id}`]) {
        const { status, text } = await lab.api(path);
        assert.equal(status, 200);
        assert.equal((JSON.parse(text) as { output: string }).output, output);
      }
    },
  },
  {
    id: 'event.test-alone',
    rule: 'A test event goes to the endpoint that it was asked for, and to no other.',
    async holds(lab) {
      const [asked, other] = [await lab.receiver(), await lab.receiver()];
      assert.equal((await asked.tryOnce()).status, 'delivered');
      assert.deepEqual(await other.deliveries(), []);
    },
  },
  {
    id: 'event.test-run-unknown',
    rule: 'The run of a test event is readable nowhere.',
    async holds(lab) {
      const { run } = await testEvent(lab);
      await eachUnknown(lab, [
        `/v1/runs/${run.id}`,
        `/api/v1/runs/${run.id}`,
        `/v1/runs/${run.id}/usage`,
        `/v1/runs/${run.id}/reviews/expected`,
      ]);
      const cancelled = await lab.api(`/v1/runs/${run.id}/cancel`, { method: 'POST' });
      assert.equal(cancelled.status, 404);
      await lab.refusal('GET', `/runs/${run.id}`);
      const { text } = await lab.api('/v1/runs?limit=100');
      assert.ok(!text.includes(run.id));
      assert.deepEqual(await lab.events(`?runId=${run.id}`), []);
    },
  },
  {
    id: 'event.test-automation-unknown',
    rule: 'The automation of a test event is readable nowhere.',
    async holds(lab) {
      const { run } = await testEvent(lab);
      await eachUnknown(lab, [`/v1/automations/${run.automationId}`]);
      const { text } = await lab.api('/v1/automations?limit=100');
      assert.ok(!text.includes(run.automationId));
    },
  },
];

async function aroundLimit(lab: Lab, character: string): Promise<[string, string]> {
  const empty = only(await lab.events(`?runId=${(await lab.run({ output: '' })).id}`)).payload;
  const room = PAYLOAD_LIMIT_BYTES - Buffer.byteLength(empty);
  const size = Buffer.byteLength(character);
  const output = character.repeat(Math.floor(room / size)) + '.'.repeat(room % size);
  const payloads: string[] = [];
  for (const text of [output, `${output}.`]) {
    payloads.push(only(await lab.events(`?runId=${(await lab.run({ output: text })).id}`)).payload);
  }
  return [payloads[0] ?? '', payloads[1] ?? ''];
}

async function testEvent(lab: Lab): Promise<{ run: { id: string; automationId: string } }> {
  const receiver = await lab.receiver();
  await receiver.tryOnce();
  const { body = '' } = only(await receiver.arrivals());
  return (JSON.parse(body) as { data: { run: { id: string; automationId: string } } }).data;
}

async function eachUnknown(lab: Lab, paths: readonly string[]): Promise<void> {
  for (const path of paths) assert.equal((await lab.api(path)).status, 404, path);
}
