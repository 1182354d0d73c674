import { expect, test } from 'vitest';

import { killRounds } from './kill-rounds.ts';
import { temporaryFolder } from './platform/store/temporary-folder.ts';

test('a killed server has every write that it acknowledged', async () => {
  expect(await killRounds(await temporaryFolder(), 5)).toBeGreaterThan(20);
});
