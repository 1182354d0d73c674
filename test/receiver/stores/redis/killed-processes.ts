import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, onTestFinished } from 'vitest';

import { startServer } from '../../../services/local-server.ts';
import { killHandlers } from '../kills/programs/kill-handlers.ts';
import { DURABLE } from './redis-server.ts';

/** Four processes handle events on one server while one after the other is killed. Nothing is lost or out of order. */
export async function surviveKills(kills: number, seed: number): Promise<void> {
  const server = await startServer('redis', DURABLE);
  onTestFinished(() => server.stop());
  const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-redis-kills-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const report = await killHandlers({
    store: 'redis',
    address: server.url,
    journal: path.join(folder, 'journal'),
    kills,
    seed,
    processes: 4,
  });
  expect(report, `seed ${seed}`).toMatchObject({ kills, lost: [], violations: [] });
}
