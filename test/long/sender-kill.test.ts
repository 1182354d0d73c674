import { expect, test } from 'vitest';

import { senderKillRounds } from '../server-reference/sender/sender-kill-rounds.ts';
import { temporaryFolder } from '../server-reference/store/temporary-folder.ts';

test('40 kills: no acknowledged run is without its event, and repeats are the same bytes', async () => {
  const { acknowledged, repeated } = await senderKillRounds(await temporaryFolder(), 40);
  expect(acknowledged).toBeGreaterThan(300);
  expect(repeated).toBeGreaterThan(10);
});
