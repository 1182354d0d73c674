import path from 'node:path';

import { expect, it } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { killHandlers } from './kills/programs/kill-handlers.ts';

const KILLS = 20;

it(`handles every event in order over ${KILLS} kills of four processes on one SQLite file`, async () => {
  const folder = emptyFolder();
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
