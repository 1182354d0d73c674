import { expect, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import type { KillCount } from './kill-proof.ts';
import { senderKillRounds } from './sender-kill-rounds.ts';

/** `KILLS=1000 npm run test:long` runs the whole proof. */
const KILLS = Number(process.env['KILLS'] ?? 200);
const LANES = 2;
const KILLS_PER_BATCH = 25;
const BATCHES_PER_LANE = Math.ceil(KILLS / (LANES * KILLS_PER_BATCH));

/** `KILL_SEED=… npm run test:long` repeats the kills of a failed run. */
const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 1e9));

test(`${KILLS} kills under load: nothing is lost, and only what was cut off arrives twice`, async () => {
  const counts: KillCount[] = [];
  async function lane(number: number): Promise<void> {
    for (let batch = 0; batch < BATCHES_PER_LANE; batch += 1) {
      const batchSeed = seed + number * BATCHES_PER_LANE + batch;
      const count = await senderKillRounds(emptyFolder(), KILLS_PER_BATCH, batchSeed);
      process.stdout.write(
        `${JSON.stringify({ seed: batchSeed, kills: KILLS_PER_BATCH, ...count })}\n`,
      );
      counts.push(count);
    }
  }
  process.stdout.write(`KILL_SEED=${seed}\n`);
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
  const sum = (name: keyof KillCount): number =>
    counts.reduce((total, count) => total + count[name], 0);
  expect(sum('acknowledged')).toBeGreaterThan(5 * KILLS);
  expect(sum('cutOff')).toBeGreaterThan(2 * KILLS);
  expect(sum('respondedButCutOff')).toBeGreaterThan(KILLS / 5);
  expect(sum('retried')).toBeGreaterThan(2 * KILLS);
});
