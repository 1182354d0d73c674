import { createServer, virtualClock } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { blockWrites } from '../data-folder.ts';
import { controlClient, START } from '../lab/control/control-client.ts';
import type { ControlClient } from '../lab/control/control-client.ts';
import { recordingLogger } from '../store/recording-logger.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';
import { listenAt } from './endpoint-listener.ts';

interface Started extends ControlClient {
  readonly folder: string;
  readonly lines: readonly string[];
}

async function start(): Promise<Started> {
  const folder = await temporaryFolder();
  const logger = recordingLogger();
  const server = await createServer({
    store: { kind: 'folder', path: folder },
    clock: virtualClock({ now: START, stallTimeoutMilliseconds: 5_000 }),
    logger,
  });
  onTestFinished(() => server.close());
  return { folder, lines: logger.lines, ...controlClient(server) };
}

test('attempts whose records cannot be written are recorded later, and not repeated', async () => {
  const control = await start();
  let block = false;
  let unblock: (() => Promise<void>) | undefined;
  const listener = await listenAt((response) => {
    const respond = (): void => void response.writeHead(204).end();
    if (!block) return respond();
    block = false;
    void blockWrites(control.folder).then((undo) => {
      unblock = undo;
      respond();
    });
  });
  for (let count = 0; count < 5; count += 1) await control.endpoint(`${listener.url}/${count}`);
  block = true;
  await control.run();
  await listener.arrived(5);
  await control.advance(60_000);
  await unblock?.();
  await control.advance(8_000);
  await control.idle();
  const deliveries = await control.deliveries();
  expect(deliveries.map(({ status, attempts }) => [status, attempts.length])).toEqual(
    Array.from({ length: 5 }, () => ['delivered', 1]),
  );
  expect(listener.arrivals.map(({ path }) => path).toSorted()).toEqual(
    [0, 1, 2, 3, 4].map((count) => `/hook/${count}`),
  );
  expect(control.lines).toEqual([
    'error The sender waits until the state can be written.',
    'warn The sender continues: the state is written again.',
  ]);
});

test('a redelivery whose record cannot be written is not repeated', async () => {
  const control = await start();
  let unblock: (() => Promise<void>) | undefined;
  const listener = await listenAt((response, number) => {
    const respond = (): void => void response.writeHead(204).end();
    if (number < 2) return respond();
    void blockWrites(control.folder).then((undo) => {
      unblock = undo;
      respond();
    });
  });
  await control.endpoint(listener.url);
  await control.run();
  await control.idle();
  const { id } = await control.onlyDelivery();
  await control.call(`/deliveries/${id}/redeliver`, { method: 'POST' });
  await listener.arrived(2);
  await control.advance(10_000);
  await unblock?.();
  await control.advance(10_000);
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'delivered',
    attempts: [{ trigger: 'automatic' }, { trigger: 'manual' }],
  });
  expect(listener.arrivals).toHaveLength(2);
});

test('a redelivery whose request got 503 is made when it is written', async () => {
  const control = await start();
  const waiting: (() => void)[] = [];
  const listener = await listenAt((response, number) => {
    const accept = (): void => void response.writeHead(204).end();
    if (number === 2) waiting.push(accept);
    else accept();
  });
  await control.endpoint(listener.url);
  await control.run();
  await control.idle();
  const { id } = await control.onlyDelivery();
  const redeliver = { method: 'POST' } as const;
  await control.call(`/deliveries/${id}/redeliver`, redeliver);
  await listener.arrived(2);
  const unblock = await blockWrites(control.folder);
  await control.expectError(503, `/deliveries/${id}/redeliver`, redeliver);
  await unblock();
  for (const accept of waiting) accept();
  await listener.arrived(3);
  await control.idle();
  expect(await control.onlyDelivery()).toMatchObject({
    status: 'delivered',
    attempts: [{ trigger: 'automatic' }, { trigger: 'manual' }, { trigger: 'manual' }],
  });
  expect(listener.arrivals).toHaveLength(3);
});

test('a run that cannot be written continues later, with each event once and in order', async () => {
  const control = await start();
  const listener = await listenAt();
  await control.endpoint(listener.url);
  const scheduledTransitions = ['running', 'finalizing', 'completed'].map((status, index) => ({
    status,
    afterMilliseconds: (index + 1) * 1_000,
  }));
  await control.run({ scheduledTransitions });
  await control.idle();
  await control.advance(1_500);
  const unblock = await blockWrites(control.folder);
  await control.advance(30_000);
  await unblock();
  await control.advance(30_000);
  await control.idle();
  const statuses = listener.arrivals.map(
    ({ body }) =>
      (JSON.parse(body.toString()) as { data: { run: { status: string } } }).data.run.status,
  );
  expect(statuses).toEqual(['pending', 'running', 'finalizing', 'completed']);
  expect((await control.deliveries()).map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1]);
});

test('the sender continues on a clock that stands still, as soon as a request is written', async () => {
  const control = await start();
  let unblock: (() => Promise<void>) | undefined;
  const listener = await listenAt((response) => {
    const respond = (): void => void response.writeHead(204).end();
    if (unblock !== undefined) return respond();
    void blockWrites(control.folder).then((undo) => {
      unblock = undo;
      respond();
    });
  });
  await control.endpoint(listener.url);
  await control.run();
  await listener.arrived(1);
  await expect.poll(() => control.lines).toHaveLength(1);
  await unblock?.();
  await control.run();
  await listener.arrived(2);
  await expect
    .poll(async () => (await control.deliveries()).map(({ status }) => status))
    .toEqual(['delivered', 'delivered']);
});
