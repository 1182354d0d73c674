import { expect, test } from 'vitest';

import { killRounds } from './kill-rounds.ts';
import { temporaryFolder } from './store/temporary-folder.ts';

test('a killed server has every write and run that it acknowledged', async () => {
  const report = await killRounds(await temporaryFolder(), 10);
  expect(report.acknowledgedWrites).toBeGreaterThan(20);
  expect(report.killsInWrites).toBeGreaterThan(0);
  expect(report.acknowledgedRuns).toBeGreaterThan(5);
}, 300_000);
