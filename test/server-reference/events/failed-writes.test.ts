import { createServer, virtualClock } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { blockWrites, readDataFolder } from '../data-folder.ts';
import { controlClient, START } from '../lab/control/control-client.ts';
import type { ControlClient } from '../lab/control/control-client.ts';
import { recordingLogger } from '../store/recording-logger.ts';
import { listenAt, runStatuses } from './endpoint-listener.ts';

interface Started extends ControlClient {
  readonly folder: string;
  readonly lines: readonly string[];
}

async function start(): Promise<Started> {
  const folder = emptyFolder();
  const logger = recordingLogger();
  const server = await createServer({
    store: { kind: 'folder', path: folder },
    clock: virtualClock({ now: START, stallTimeoutMilliseconds: 30_000 }),
    logger,
  });
  onTestFinished(() => server.close());
  return { folder, lines: logger.lines, ...controlClient(server) };
}

test('attempts whose records cannot be written are not repeated, and are in the next write', async () => {
  const control = await start();
  let block = true;
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
  await control.run();
  await listener.arrived(5);
  await control.advance(60_000);
  expect(new Set(control.lines)).toEqual(
    new Set(['error A change of the server could not be written. The next write has it.']),
  );
  await unblock?.();
  await control.expectOk(201, '/keys', { scope: [] });
  const { deliveries } = await readDataFolder(control.folder);
  expect(
    Object.values(deliveries).map(({ status, attempts }) => [status, attempts.length]),
  ).toEqual(Array.from({ length: 5 }, () => ['delivered', 1]));
  expect(listener.arrivals).toHaveLength(5);
});

test('a run that cannot be written goes on, with each event once and in order', async () => {
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
  expect(runStatuses(listener)).toEqual(['pending', 'running', 'finalizing', 'completed']);
  expect((await control.deliveries()).map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1]);
});
