import { test } from 'vitest';

import { describeWith } from '../../../services/local-server.ts';
import { surviveKills } from './killed-processes.ts';

describeWith('redis')('four processes on one Redis', () => {
  test('handle every event in order over 20 kills', () => surviveKills(20, 1));
});
