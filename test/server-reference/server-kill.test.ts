import { expect, test } from 'vitest';

import { killRounds } from './kill-rounds.ts';
import { temporaryFolder } from './platform/store/temporary-folder.ts';

test('a killed server has every write and run that it acknowledged', async () => {
  const report = await killRounds(await temporaryFolder(), 6);
  expect(report.acknowledgedWrites).toBeGreaterThan(20);
  expect(report.acknowledgedRuns).toBeGreaterThan(10);
});
