import { expect, test } from 'vitest';

import type { KillCount } from '../server-reference/platform/sender/kill-proof.ts';
import { senderKillRounds } from '../server-reference/platform/sender/sender-kill-rounds.ts';
import { temporaryFolder } from '../server-reference/platform/store/temporary-folder.ts';

const LANES = 2;
const BATCHES_PER_LANE = 4;
const KILLS_PER_BATCH = 26;

/** `KILL_SEED=… npm run test:long` repeats the kills of a failed run. */
const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 1e9));

test('208 kills under load: nothing is lost, and only what was cut off arrives twice', async () => {
  const counts: KillCount[] = [];
  async function lane(number: number): Promise<void> {
    for (let batch = 0; batch < BATCHES_PER_LANE; batch += 1) {
      const batchSeed = seed + number * BATCHES_PER_LANE + batch;
      const count = await senderKillRounds(await temporaryFolder(), KILLS_PER_BATCH, batchSeed);
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
  expect(sum('acknowledged')).toBeGreaterThan(1_000);
  expect(sum('cutOff')).toBeGreaterThan(500);
  expect(sum('respondedButCutOff')).toBeGreaterThan(50);
  expect(sum('retried')).toBeGreaterThan(500);
});
