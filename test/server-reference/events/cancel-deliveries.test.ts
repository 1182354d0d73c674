import { describe, expect, test } from 'vitest';

import { MAX_ATTEMPTS } from '../../../server-reference/src/events/delivery-queue.ts';
import { startControlled } from '../lab/control/control-client.ts';
import { listenAt, statuses } from './endpoint-listener.ts';

const THREE_DAYS = 259_200_000;

describe.each([
  ['disabled', 'endpoint_disabled', { method: 'PATCH', json: { enabled: false } }, 200],
  ['deleted', 'endpoint_deleted', { method: 'DELETE' }, 204],
] as const)('an endpoint that is %s', (_how, endReason, call, status) => {
  test('ends its pending deliveries at once, and gets no new events', async () => {
    const control = await startControlled();
    const listener = await listenAt(statuses(503));
    const { id } = await control.endpoint(listener.url);
    await control.run();
    await control.idle();
    expect((await control.call(`/webhook-endpoints/${id}`, call)).status).toBe(status);
    await control.run();
    await control.advance(THREE_DAYS);
    expect(listener.arrivals).toHaveLength(1);
    const delivery = await control.onlyDelivery();
    expect(delivery).toMatchObject({ status: 'ended', endReason, nextAttemptAt: null });
    const refusal = await control.expectError(409, `/deliveries/${delivery.id}/redeliver`, {
      json: {},
    });
    expect(refusal.issues[0]).toMatchObject({
      code: 'endpoint_not_active',
      message: `the webhook endpoint must be enabled, but it is ${_how}`,
    });
  });

  test('ends queued attempts, scheduled retries and ordered redeliveries', async () => {
    const control = await startControlled();
    const held: (() => void)[] = [];
    const listener = await listenAt((response, number) => {
      response.statusCode = number === 1 ? 503 : 204;
      if (number === 1) response.end();
      else held.push(() => response.end());
    });
    const { id } = await control.endpoint(listener.url);
    await control.run();
    await control.idle();
    for (let count = 0; count < MAX_ATTEMPTS + 4; count += 1) await control.run();
    await listener.arrived(1 + MAX_ATTEMPTS);
    const [waiting, inProgress] = await control.deliveries();
    await control.expectOk(202, `/deliveries/${inProgress?.id ?? ''}/redeliver`, {});
    const queued = (await control.deliveries()).at(-1);
    await control.expectOk(202, `/deliveries/${queued?.id ?? ''}/redeliver`, {});
    await control.call(`/webhook-endpoints/${id}`, call);
    for (const release of held) release();
    await control.idle();
    await control.advance(THREE_DAYS);

    expect(listener.arrivals).toHaveLength(1 + MAX_ATTEMPTS);
    const deliveries = await control.deliveries();
    const ended = { status: 'ended', endReason, nextAttemptAt: null };
    expect(deliveries[0]).toMatchObject({ ...ended, id: waiting?.id, attempts: [{ status: 503 }] });
    for (const delivery of deliveries.slice(1, MAX_ATTEMPTS + 1)) {
      expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 204 }] });
      expect(delivery.attempts).toHaveLength(1);
    }
    expect(deliveries.slice(MAX_ATTEMPTS + 1)).toHaveLength(4);
    for (const delivery of deliveries.slice(MAX_ATTEMPTS + 1)) {
      expect(delivery).toMatchObject({ ...ended, attempts: [] });
    }
  });

  test.each([
    [204, { status: 'delivered', endReason: null }],
    [503, { status: 'ended', endReason }],
    [404, { status: 'ended', endReason }],
  ])(
    'during an attempt records the response %s, and makes no further attempt',
    async (code, left) => {
      const control = await startControlled();
      const held: (() => void)[] = [];
      const listener = await listenAt((response) => {
        response.statusCode = code;
        held.push(() => response.end());
      });
      const { id } = await control.endpoint(listener.url);
      await control.run();
      await listener.arrived(1);
      await control.call(`/webhook-endpoints/${id}`, call);
      for (const release of held) release();
      await control.idle();
      await control.advance(THREE_DAYS);
      expect(await control.onlyDelivery()).toMatchObject({
        ...left,
        nextAttemptAt: null,
        attempts: [{ status: code }],
      });
      expect(listener.arrivals).toHaveLength(1);
    },
  );
});

test('an endpoint that is enabled again gets new events, and earlier ones by redelivery only', async () => {
  const control = await startControlled();
  const listener = await listenAt(statuses(503, 204));
  const { id } = await control.endpoint(listener.url);
  await control.run();
  await control.idle();
  await control.call(`/webhook-endpoints/${id}`, { method: 'PATCH', json: { enabled: false } });
  await control.run();
  await control.call(`/webhook-endpoints/${id}`, { method: 'PATCH', json: { enabled: true } });
  await control.advance(THREE_DAYS);
  expect(listener.arrivals).toHaveLength(1);
  const old = await control.onlyDelivery();
  await control.expectOk(202, `/deliveries/${old.id}/redeliver`, {});
  await control.run();
  await control.idle();
  expect(listener.arrivals).toHaveLength(3);
  expect((await control.deliveries()).map(({ status }) => status)).toEqual([
    'delivered',
    'delivered',
  ]);
});

test('the next attempt uses a new URL, and new headers instead of all old ones', async () => {
  const control = await startControlled();
  const before = await listenAt(statuses(503));
  const after = await listenAt();
  const { id } = await control.endpoint(before.url, { headers: { 'X-Old': '1', 'X-Both': '1' } });
  await control.run();
  await control.idle();
  await control.call(`/webhook-endpoints/${id}`, {
    method: 'PATCH',
    json: { url: after.url, headers: { 'X-Both': '2' } },
  });
  await control.advance(THREE_DAYS);
  expect(before.arrivals).toMatchObject([{ headers: { 'x-old': '1', 'x-both': '1' } }]);
  expect(after.arrivals).toMatchObject([{ headers: { 'x-both': '2' } }]);
  expect(after.arrivals[0]?.headers).not.toHaveProperty('x-old');
});
