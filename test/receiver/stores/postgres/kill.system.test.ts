import { test } from 'vitest';

import { describeWith } from '../../../services/local-server.ts';
import { surviveKills } from './killed-processes.ts';

describeWith('postgres')('four processes on one PostgreSQL', () => {
  test('handle each event once and in order, over 20 kills of two at a time', async () => {
    await surviveKills({ runs: 100, kills: 10, processes: 4, seed: 1 });
  });
});
