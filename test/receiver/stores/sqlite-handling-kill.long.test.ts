import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { killHandlers } from './kills/programs/kill-handlers.ts';

const KILLS = 20;

it(`handles every event in order over ${KILLS} kills of four processes on one SQLite file`, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-handling-kills-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const report = await killHandlers({
    store: 'sqlite',
    address: path.join(folder, 'events.db'),
    journal: path.join(folder, 'journal'),
    kills: KILLS,
    seed: 1,
    processes: 4,
  });
  expect(report).toMatchObject({ kills: KILLS, lost: [], violations: [] });
  expect(report.acknowledged).toBeGreaterThan(KILLS);
});
