import { test } from 'vitest';

import { describeWith } from '../../../services/local-server.ts';
import { surviveKills } from './killed-processes.ts';

/** `KILLS=1000 npm run test:long` runs the whole proof, which takes eight minutes. */
const KILLS = Number(process.env['KILLS'] ?? 200);

/** `KILL_SEED=… npm run test:long` repeats the kills of a failed run. */
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000);

describeWith('redis')('four processes on one Redis', () => {
  test(`handle every event in order over ${KILLS} kills`, () => surviveKills(KILLS, seed));
});
