import { describe, expect, test } from 'vitest';

import { listenAt, statuses } from '../../events/endpoint-listener.ts';
import { openControlled } from './control-client.ts';

describe('webhook endpoints', () => {
  test('are listed, changed and deleted; their deliveries remain', async () => {
    const control = await openControlled();
    const listener = await listenAt();
    const created = await control.endpoint(listener.url, { headers: { 'X-A': '1' } });
    expect(created).toMatchObject({ enabled: true, secret: expect.stringMatching(/^whsec_/) });
    await control.run();
    await control.idle();
    const path = `/webhook-endpoints/${created.id}`;
    const changed = await control.call(path, { method: 'PATCH', json: { headers: {} } });
    expect(changed).toMatchObject({ status: 200, body: { ...created, headers: {} } });
    expect(await control.expectOk(200, '/webhook-endpoints')).toMatchObject({
      data: [changed.body],
    });
    expect(await control.call(path, { method: 'DELETE' })).toMatchObject({
      status: 204,
      body: undefined,
    });
    expect(await control.expectOk(200, '/webhook-endpoints')).toEqual({ data: [] });
    expect(await control.onlyDelivery()).toMatchObject({ status: 'delivered' });
  });

  test('Send test to a disabled endpoint gets 409, which says how to enable it', async () => {
    const control = await openControlled();
    const { id } = await control.endpoint('http://127.0.0.1:1/');
    await control.call(`/webhook-endpoints/${id}`, { method: 'PATCH', json: { enabled: false } });
    const { issues, hint } = await control.expectError(409, `/webhook-endpoints/${id}/test`, {
      json: {},
    });
    expect(issues[0]?.code).toBe('endpoint_not_active');
    expect(hint).toContain(`PATCH /_control/webhook-endpoints/${id}`);
  });
});

test('a delivery is read by its id, with every attempt', async () => {
  const control = await openControlled();
  const listener = await listenAt(statuses(503, 204));
  await control.endpoint(listener.url);
  await control.run();
  await control.idle();
  await control.advance(60_000);
  await control.run();
  await control.idle();
  const all = await control.deliveries();
  expect(all.map(({ attempts }) => attempts.length)).toEqual([2, 1]);
  for (const delivery of all) {
    expect(await control.expectOk(200, `/deliveries/${delivery.id}`)).toEqual(delivery);
  }
});

test('deliveries are filtered by endpoint, event and run', async () => {
  const control = await openControlled();
  const listener = await listenAt(statuses(204));
  const [one, other] = [await control.endpoint(listener.url), await control.endpoint(listener.url)];
  const [first, second] = [await control.run(), await control.run()];
  await control.idle();
  const all = await control.deliveries();
  expect(all.map(({ runId, endpointId }) => [runId, endpointId])).toEqual([
    [first.id, one.id],
    [first.id, other.id],
    [second.id, one.id],
    [second.id, other.id],
  ]);
  expect(await control.deliveries(`?runId=${second.id}`)).toEqual(all.slice(2));
  expect(await control.deliveries(`?endpointId=${one.id}&runId=${first.id}`)).toEqual([all[0]]);
  expect(await control.deliveries(`?eventId=${String(all[0]?.eventId)}`)).toEqual(all.slice(0, 2));
  expect(await control.deliveries('?runId=nothing')).toEqual([]);
});
