import { expect, test } from 'vitest';

import type { Event } from '@hookproof/spec/control';
import { listenAt } from '../../events/endpoint-listener.ts';
import { openControlled } from './control-client.ts';
import type { ControlClient } from './control-client.ts';

async function events(control: ControlClient, query = ''): Promise<Event[]> {
  return (await control.expectOk<{ data: Event[] }>(200, `/events${query}`)).data;
}

test('events are listed with the exact text that arrives, filtered by run and by type', async () => {
  const control = await openControlled();
  const listener = await listenAt();
  const { id: endpointId } = await control.endpoint(listener.url);
  const [first, second] = [await control.run({ output: 'snow: ☃' }), await control.run()];
  await control.move(first.id, 'running');
  await control.expectOk(202, `/webhook-endpoints/${endpointId}/test`, {});
  await control.idle();

  const all = await events(control);
  expect(all.map(({ type, runId, test: isTest }) => [type, runId, isTest])).toEqual([
    ['run.created', first.id, false],
    ['run.created', second.id, false],
    ['run.status_changed', first.id, false],
    ['run.created', null, true],
  ]);
  expect(await events(control, `?runId=${first.id}`)).toEqual([all[0], all[2]]);
  expect(await events(control, '?type=run.status_changed')).toEqual([all[2]]);
  expect(await events(control, `?type=run.created&runId=${second.id}`)).toEqual([all[1]]);
  expect(await events(control, '?runId=nothing')).toEqual([]);

  const arrived = new Map(
    listener.arrivals.map(({ headers, body }) => [headers['webhook-id'], body.toString('utf8')]),
  );
  expect(arrived).toEqual(new Map(all.map(({ id, payload }) => [id, payload])));
  for (const event of all) {
    expect(JSON.parse(event.payload)).toMatchObject({
      id: event.id,
      type: event.type,
      test: event.test,
      createdAt: event.createdAt,
    });
    expect(event.worldId).toBe(control.app.world.id);
  }
});

test('the event of a run is recorded without an endpoint', async () => {
  const control = await openControlled();
  const { id } = await control.run();
  expect(await events(control)).toMatchObject([{ type: 'run.created', runId: id }]);
  expect(await control.deliveries()).toEqual([]);
});
