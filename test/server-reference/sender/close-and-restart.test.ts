import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { controlClient, impatientClock, START } from '../control/control-client.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';
import { listenAt, statuses } from './endpoint-listener.ts';

async function serve(path: string, now: number): Promise<ReferenceServer> {
  const clock = impatientClock(now);
  const server = await createServer({ store: { kind: 'folder', path }, clock });
  onTestFinished(() => server.close());
  return server;
}

test('close() cuts off an attempt without recording it; the next start makes it again', async () => {
  const path = await temporaryFolder();
  const listener = await listenAt((response, number) => {
    if (number > 1) response.writeHead(204).end();
  });
  const first = await serve(path, START);
  await controlClient(first).endpoint(listener.url);
  await controlClient(first).run();
  await listener.arrived(1);
  await first.close();

  const control = controlClient(await serve(path, START + 60_000));
  await control.idle();
  const [before, after] = listener.arrivals;
  expect(after?.body.equals(before?.body ?? Buffer.alloc(0))).toBe(true);
  expect(Number(after?.headers['webhook-timestamp'])).toBe(START / 1000 + 60);
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'delivered',
    attempts: [{ number: 1, status: 204, startedAt: '2026-07-01T00:01:00.000Z' }],
  });
  expect((await control.onlyDelivery()).attempts).toHaveLength(1);
});

test('a retry that lies ahead keeps its time over a restart', async () => {
  const path = await temporaryFolder();
  const listener = await listenAt((response, number) => {
    if (number === 1) response.writeHead(503, { 'retry-after': '600' });
    response.end();
  });
  const first = await serve(path, START);
  await controlClient(first).endpoint(listener.url);
  await controlClient(first).run();
  await controlClient(first).idle();
  await first.close();

  const control = controlClient(await serve(path, START + 599_000));
  await control.advance(999);
  expect(listener.arrivals).toHaveLength(1);
  await control.advance(1);
  expect(listener.arrivals).toHaveLength(2);
});

test('a redelivery that was accepted is made after a restart', async () => {
  const path = await temporaryFolder();
  const listener = await listenAt(statuses(204));
  const first = await serve(path, START);
  const { id: endpointId } = await controlClient(first).endpoint(listener.url);
  await controlClient(first).run();
  await controlClient(first).idle();
  const hung = await listenAt(() => {});
  await controlClient(first).call(`/webhook-endpoints/${endpointId}`, {
    method: 'PATCH',
    json: { url: hung.url },
  });
  const { id } = await controlClient(first).onlyDelivery();
  await controlClient(first).expectOk(202, `/deliveries/${id}/redeliver`, {});
  await hung.arrived(1);
  await first.close();

  const control = controlClient(await serve(path, START));
  await hung.arrived(2);
  await control.advance(10_000);
  expect((await control.onlyDelivery()).attempts).toMatchObject([
    { trigger: 'automatic', status: 204 },
    { trigger: 'manual', error: 'timeout' },
  ]);
});
