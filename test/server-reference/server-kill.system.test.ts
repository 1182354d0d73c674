import { expect, test } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { killRounds } from './kill-rounds.ts';

test('a killed server has every write and run that it acknowledged', async () => {
  const report = await killRounds(emptyFolder(), 10);
  expect(report.acknowledgedWrites).toBeGreaterThan(20);
  expect(report.killsInWrites).toBeGreaterThan(0);
  expect(report.acknowledgedRuns).toBeGreaterThan(5);
});
