import path from 'node:path';

import { describe, it } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { shareIds, surviveKills } from './accepting-process.ts';

/** `KILLS=1000 npm run test:long` runs the whole proof. */
const KILLS = Number(process.env['KILLS'] ?? 200);
const ROUNDS = 24;

describe('the SQLite store, with processes that are killed', () => {
  it(`keeps every event that it acknowledged, over ${KILLS} kills`, async () => {
    const folder = emptyFolder();
    for (let file = 0; file < KILLS / 10; file += 1) {
      const counts = Array.from({ length: 10 }, () => Math.ceil(Math.random() ** 2 * 1_000));
      await surviveKills(path.join(folder, `kill-${file}.db`), counts);
    }
  });

  it(`has one winner for each id that two processes offer, in ${ROUNDS} rounds`, async () => {
    const folder = emptyFolder();
    for (let round = 0; round < ROUNDS; round += 1) {
      await shareIds(path.join(folder, `share-${round}.db`), 10_000, round % 2 === 1);
    }
  });
});
