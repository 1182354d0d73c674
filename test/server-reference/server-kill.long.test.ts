import { expect, test } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { killRounds } from './kill-rounds.ts';

/** `KILLS=1000 npm run test:long` runs the whole proof. */
const KILLS = Number(process.env['KILLS'] ?? 200);
/** A write costs what is stored, so a folder of many rounds gets ever slower. */
const KILLS_OF_A_FOLDER = 25;

test(
  `a server killed ${KILLS} times, also during writes, has every acknowledged write and run`,
  { timeout: KILLS * 10_000 },
  async () => {
    const total = { acknowledgedWrites: 0, acknowledgedRuns: 0, killsInWrites: 0 };
    for (let kills = 0; kills < KILLS; kills += KILLS_OF_A_FOLDER) {
      const rounds = Math.min(KILLS_OF_A_FOLDER, KILLS - kills);
      const report = await killRounds(emptyFolder(), rounds, kills);
      total.acknowledgedWrites += report.acknowledgedWrites;
      total.acknowledgedRuns += report.acknowledgedRuns;
      total.killsInWrites += report.killsInWrites;
    }
    expect(total.acknowledgedWrites).toBeGreaterThan(3 * KILLS);
    expect(total.acknowledgedRuns).toBeGreaterThan(2 * KILLS);
    expect(total.killsInWrites).toBeGreaterThan(KILLS / 20);
  },
);
