import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { describeWith, startServer } from '../../../services/local-server.ts';
import { killHandlers } from '../kills/programs/kill-handlers.ts';
import { DURABLE } from './redis-server.ts';

const KILLS = 12;

describeWith('redis')('the Redis store of killed processes', () => {
  it(`handles every event in order over ${KILLS} kills of four processes on one server`, async () => {
    const server = await startServer('redis', DURABLE);
    onTestFinished(() => server.stop());
    const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-redis-kills-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const report = await killHandlers({
      store: 'redis',
      address: server.url,
      journal: path.join(folder, 'journal'),
      kills: KILLS,
      seed: 1,
      processes: 4,
    });
    expect(report).toMatchObject({ kills: KILLS, lost: [], violations: [] });
    expect(report.acknowledged).toBeGreaterThan(KILLS);
  });
});
