import { request } from 'undici';
import { describe, expect, test } from 'vitest';

import type { ControlClient } from '../control/control-client.ts';
import { START, startControlled } from '../control/control-client.ts';
import { arrived, openSink, readSink } from './sink-client.ts';

/** Every exchange has the response that the row of its attempt reports. */
async function expectPaired(control: ControlClient, sink: { id: string }): Promise<void> {
  const deliveries = await control.deliveries();
  for (const { sent, arrived: came } of (await readSink(control, sink)).exchanges) {
    if (sent === null) continue;
    const attempts = deliveries.find(({ id }) => id === sent.deliveryId)?.attempts ?? [];
    const row = attempts.find(({ number }) => number === sent.attempt);
    expect(row).toMatchObject({ status: came?.response, startedAt: sent.at });
  }
}

describe('a sink shows', () => {
  test('every attempt as sent and as arrived, with its response', async () => {
    const control = await startControlled();
    const sink = await openSink(control, [
      { status: 503, headers: { 'Retry-After': '2' }, body: 'later' },
      { status: 204 },
    ]);
    const headers = { 'X-Team': 'blue', 'X-Empty': '' };
    const endpoint = await control.endpoint(sink.url, { headers });
    const run = await control.run();
    await control.idle();
    await control.advance(2_000);
    const delivery = await control.onlyDelivery();
    expect(delivery.attempts).toMatchObject([
      { status: 503, responseBody: 'later', retryAfter: { asked: 2, used: 2 } },
      { status: 204 },
    ]);
    const { exchanges } = await readSink(control, sink);
    const sent = { deliveryId: delivery.id, eventId: delivery.eventId, endpointId: endpoint.id };
    const at = [START, START + 2_000].map((time) => new Date(time).toISOString());
    expect(exchanges).toMatchObject([
      {
        sent: { ...sent, attempt: 1, at: at[0] },
        arrived: { number: 1, at: at[0], response: 503, complete: true, path: '/sink_1' },
        differs: [],
      },
      {
        sent: { ...sent, attempt: 2, at: at[1] },
        arrived: { number: 2, at: at[1], response: 204 },
      },
    ]);
    const [first] = exchanges;
    expect(JSON.parse(first?.sent?.body ?? '')).toMatchObject({ data: { run: { id: run.id } } });
    expect(first?.arrived?.body).toBe(first?.sent?.body);
    expect(first?.sent?.headers).toContainEqual(['X-Team', 'blue']);
    expect(first?.arrived?.headers).toContainEqual(['X-Team', 'blue']);
  });

  test('non-ASCII text as it was sent, for both spellings of its address', async () => {
    const control = await startControlled();
    const sink = await openSink(control);
    const url = sink.url.replace('127.0.0.1', 'localhost');
    await control.endpoint(url, { headers: { 'X-Name': ' Zoë\tü ' } });
    await control.run({ input: {}, output: { note: 'grüße 🚢' }, status: 'completed' });
    await control.idle();
    const { exchanges } = await readSink(control, sink);
    expect(exchanges).toMatchObject([
      { sent: { attempt: 1 }, arrived: { response: 200 }, differs: [] },
    ]);
    expect(exchanges[0]?.sent?.body).toContain('grüße 🚢');
  });

  test('deliveries to several endpoints, with foreign requests between them', async () => {
    const control = await startControlled();
    const sink = await openSink(control, [{ status: 500 }, { status: 201 }, { status: 202 }]);
    await Promise.all([1, 2, 3].map(() => control.endpoint(sink.url)));
    await Promise.all([
      control.run(),
      request(sink.url, { method: 'POST', body: 'hello' }),
      control.run(),
    ]);
    await control.idle();
    const { exchanges } = await arrived(control, sink, 7);
    expect(exchanges.filter(({ sent }) => sent === null)).toMatchObject([
      { arrived: { body: 'hello' }, differs: [] },
    ]);
    expect(exchanges.flatMap(({ differs }) => differs)).toEqual([]);
    await control.advance(400);
    await expectPaired(control, sink);
  });
});

describe('a sink shows the delivery fault', () => {
  test('duplicate at the same moment: each copy with its own arrival', async () => {
    const control = await startControlled();
    const statuses = [500, 201, 202, 203, 206, 429, 503, 502, 504, 200, 408];
    const sink = await openSink(
      control,
      statuses.map((status) => ({ status })),
    );
    await control.endpoint(sink.url);
    await control.expectOk(201, '/delivery-faults', { name: 'duplicate', copies: 10 });
    await control.run();
    await control.idle();
    const { exchanges } = await arrived(control, sink, 11);
    expect(exchanges.map(({ sent }) => sent?.attempt)).toEqual(
      Array.from({ length: 11 }, (_none, index) => index + 1),
    );
    expect(exchanges.flatMap(({ differs }) => differs)).toEqual([]);
    await expectPaired(control, sink);
  });
});

test('the same script gives the same exchanges', async () => {
  const views = await Promise.all(
    [1, 2].map(async () => {
      const control = await startControlled();
      const sink = await openSink(control, [
        { status: 503, afterMilliseconds: 500 },
        { status: 200 },
      ]);
      await control.endpoint(sink.url);
      for (const name of ['tampered-body', 'wrong-secret', 'drop-then-redeliver', 'slow-drip']) {
        await control.expectOk(201, '/delivery-faults', { name });
      }
      const { id } = await control.run();
      await control.move(id, 'running');
      await control.advance(3_600_000);
      const view = await readSink(control, sink);
      return JSON.stringify(view).replaceAll(/127\.0\.0\.1:\d+/g, 'sink');
    }),
  );
  expect(views[0]).toContain('"attempt":3');
  expect(views[0]).toBe(views[1]);
});
