import { test } from 'vitest';

import { describeWith } from '../../../services/local-server.ts';
import { surviveKills } from './killed-processes.ts';

describeWith('postgres')('four processes on one PostgreSQL', () => {
  test('handle each event once and in order, while two are killed again and again', async () => {
    await surviveKills({ runs: 40, kills: 4, processes: 4, seed: 1 });
  });
});
