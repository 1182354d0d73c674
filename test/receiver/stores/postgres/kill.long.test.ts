import { test } from 'vitest';

import { surviveKills } from './killed-processes.ts';
import { describeWith } from '../../../services/local-server.ts';

const KILLS = 25;
/** `KILLS=1000 npm run test:long` runs the whole proof, in which two processes are killed at a time. */
const ROUNDS = Math.ceil(Number(process.env['KILLS'] ?? 200) / (2 * KILLS));

describeWith('postgres')('four processes on one PostgreSQL, two killed at a time', () => {
  test.each(Array.from({ length: ROUNDS }, (_, seed) => seed))(
    `handle each event once and in order, over ${2 * KILLS} kills (seed %i)`,
    async (seed) => {
      await surviveKills({ runs: 10 * KILLS, kills: KILLS, processes: 4, seed });
    },
  );
});
