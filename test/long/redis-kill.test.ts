import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { killHandlers } from '../receiver/stores/kills/programs/kill-handlers.ts';
import { DURABLE } from '../receiver/stores/redis/redis-server.ts';
import { describeWith, startServer } from '../services/local-server.ts';

/** `KILLS=1000 npm run test:long` runs the whole proof, which takes eight minutes. */
const KILLS = Number(process.env['KILLS'] ?? 200);
const BOUND = { timeout: 3_600_000 };

/** `KILL_SEED=… npm run test:long` repeats the kills of a failed run. */
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000);

describeWith('redis')('the Redis store of killed processes', () => {
  it(`handles every event in order over ${KILLS} kills of four processes`, BOUND, async () => {
    const server = await startServer('redis', DURABLE);
    onTestFinished(() => server.stop());
    const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-redis-kills-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const report = await killHandlers({
      store: 'redis',
      address: server.url,
      journal: path.join(folder, 'journal'),
      kills: KILLS,
      seed,
      processes: 4,
    });
    expect(report, `seed ${seed}`).toMatchObject({ kills: KILLS, lost: [], violations: [] });
  });
});
