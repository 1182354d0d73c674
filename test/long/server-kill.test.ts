import { expect, test } from 'vitest';

import { killRounds } from '../server-reference/kill-rounds.ts';
import { temporaryFolder } from '../server-reference/platform/store/temporary-folder.ts';

test('a server killed 300 times has every acknowledged write', async () => {
  expect(await killRounds(await temporaryFolder(), 300)).toBeGreaterThan(1000);
});
