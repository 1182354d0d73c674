import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { controlClient, impatientClock, START } from '../lab/control/control-client.ts';
import { listenAt, statuses } from './endpoint-listener.ts';

async function serve(path: string, now: number): Promise<ReferenceServer> {
  const clock = impatientClock(now);
  const server = await createServer({ store: { kind: 'folder', path }, clock });
  onTestFinished(() => server.close());
  return server;
}

test('close() cancels an attempt without recording it; the next start repeats it', async () => {
  const path = emptyFolder();
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

test('a scheduled retry keeps its time over a restart', async () => {
  const path = emptyFolder();
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

test('an accepted redelivery is made after a restart', async () => {
  const path = emptyFolder();
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

/** Hanging attempts with a queue, scheduled retries and a waiting caller; then close(). */
const CLOSES_AND_ENDS = `
import { createServer } from '@hookproof/server-reference';
const [hung, erring, path] = process.argv.slice(1);
const server = await createServer({ store: { kind: 'folder', path }, retryProfile: 'real' });
const headers = {
  authorization: 'Bearer ' + server.controlToken,
  'content-type': 'application/json',
};
const post = (operation, body) =>
  fetch(server.controlUrl + operation, { method: 'POST', headers, body: JSON.stringify(body) });
await post('/webhook-endpoints', { url: hung });
await post('/webhook-endpoints', { url: erring });
for (let run = 0; run < 20; run += 1) await post('/runs', {});
post('/wait', { for: 'idle', timeoutMilliseconds: 60000 }).catch(() => {});
process.stdin.once('data', () => {
  process.stdin.destroy();
  void server.close();
});
`;

test('close() with attempts in progress leaves no handle and loses nothing', async () => {
  const path = emptyFolder();
  const hung = await listenAt((response, number) => {
    if (number > 16) response.writeHead(204).end();
  });
  const erring = await listenAt(statuses(503));
  const child = spawn(
    'node',
    ['--input-type=module', '--eval', CLOSES_AND_ENDS, hung.url, erring.url, path],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  await hung.arrived(16);
  await erring.arrived(20);
  child.stdin.write('close');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);

  const control = controlClient(await serve(path, Date.now()));
  await control.idle();
  const deliveries = await control.deliveries();
  const pending = deliveries.filter(({ status }) => status === 'pending');
  const delivered = deliveries.filter(({ status }) => status === 'delivered');
  expect([pending.length, delivered.length]).toEqual([20, 20]);
  for (const { attempts } of delivered) expect(attempts).toMatchObject([{ status: 204 }]);
  for (const { attempts } of pending) expect(attempts[0]).toMatchObject({ status: 503 });
  const ids = new Set(hung.arrivals.map(({ headers }) => headers['webhook-id']));
  expect([ids.size, hung.arrivals.length]).toEqual([20, 36]);
});
