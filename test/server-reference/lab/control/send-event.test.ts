import { verify } from '@hookproof/receiver/verify';
import { expect, test } from 'vitest';

import type { Delivery } from '../../../../server-reference/src/lab/control/deliveries.ts';
import { listenAt, statuses } from '../../events/endpoint-listener.ts';
import { openControlled } from './control-client.ts';
import type { ControlClient } from './control-client.ts';

const ARCHIVED =
  '{ "type":"run.archived","id":"whev_4711", "apiVersion":"2030-01-01","createdAt":' +
  '"2026-07-01T00:00:00Z","test":false,"data":{"run":{"status":"gone","id":"exec_4711"}}}';

interface Sent {
  readonly eventId: string;
  readonly deliveries: Delivery[];
}

function send(control: ControlClient, payload: string, more: object = {}): Promise<Sent> {
  return control.expectOk(202, '/events', { payload, ...more });
}

test('sends the bytes of the payload, signed, to every enabled endpoint of the world', async () => {
  const control = await openControlled();
  const [one, two, off] = [await listenAt(), await listenAt(), await listenAt()];
  const first = await control.endpoint(one.url);
  await control.endpoint(two.url);
  const disabled = await control.endpoint(off.url);
  const path = `/webhook-endpoints/${disabled.id}`;
  await control.call(path, { method: 'PATCH', json: { enabled: false } });
  const { eventId, deliveries } = await send(control, ARCHIVED);
  await control.idle();
  expect(eventId).toBe('whev_4711');
  expect(deliveries.map(({ status, type }) => [status, type])).toEqual([
    ['pending', 'run.archived'],
    ['pending', 'run.archived'],
  ]);
  expect([one, two, off].map(({ arrivals }) => arrivals.length)).toEqual([1, 1, 0]);
  const [{ body, headers } = expect.unreachable()] = one.arrivals;
  expect(body.toString()).toBe(ARCHIVED);
  const now = Date.parse('2026-07-01T00:00:00.000Z');
  expect(verify(body, headers, { secrets: first.secret, now: () => now })).toMatchObject({
    type: 'unknown',
  });
  const stored = { id: 'whev_4711', type: 'run.archived', runId: 'exec_4711', test: false };
  expect(await control.expectOk(200, '/events')).toMatchObject({
    data: [{ ...stored, payload: ARCHIVED }],
  });
});

test('retries as for every event, and sends a stored event again in a new delivery', async () => {
  const control = await openControlled();
  const app = await listenAt(statuses(503, 204, 204));
  const { id: endpointId } = await control.endpoint(app.url);
  await send(control, ARCHIVED, { endpointId });
  await control.advance(60_000);
  const [again] = (await send(control, ARCHIVED, { endpointId })).deliveries;
  await control.idle();
  expect(again?.eventId).toBe('whev_4711');
  const all = await control.deliveries('?eventId=whev_4711');
  expect(all.map(({ status, attempts }) => [status, attempts.length])).toEqual([
    ['delivered', 2],
    ['delivered', 1],
  ]);
});

test('a fault of the order applies to its deliveries only', async () => {
  const control = await openControlled();
  const app = await listenAt();
  await control.endpoint(app.url);
  await send(control, ARCHIVED, { deliveryFaults: [{ name: 'tampered-body' }] });
  await send(control, '{"id":"whev_2"}');
  await control.idle();
  const [tampered, second] = app.arrivals.map(({ body }) => body.toString());
  expect(tampered).toHaveLength(ARCHIVED.length);
  expect(tampered).not.toBe(ARCHIVED);
  expect(JSON.parse(tampered ?? '')).toMatchObject({ id: 'whev_4711' });
  expect(second).toBe('{"id":"whev_2"}');
  const faults = await control.expectOk<{ data: object[] }>(200, '/delivery-faults');
  expect(faults.data).toMatchObject([{ name: 'tampered-body', eventId: 'whev_4711', hits: 1 }]);
});

test('refuses the id of an event with another payload, and a world without an endpoint', async () => {
  const control = await openControlled();
  const none = await control.expectError(409, '/events', { json: { payload: ARCHIVED } });
  expect(none.issues[0]).toMatchObject({ code: 'endpoint_not_active', field: 'worldId' });
  const app = await listenAt();
  await control.endpoint(app.url);
  await send(control, ARCHIVED);
  const json = { payload: '{"id":"whev_4711"}' };
  const { issues } = await control.expectError(409, '/events', { json });
  expect(issues[0]).toMatchObject({ code: 'event_id_conflict', field: 'payload' });
});
