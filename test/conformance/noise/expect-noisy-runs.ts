import { expect } from 'vitest';

import { noisyRuns } from './noisy-runs.ts';
import type { NoisyRuns } from './noisy-runs.ts';

/** Runs all at once, and expects that noise changed no verdict. */
export async function expectNoisyRuns(processes: readonly NoisyRuns[]): Promise<void> {
  const runs = (await Promise.all(processes.map(noisyRuns))).flat();
  expect(runs).toHaveLength(processes.flatMap(({ seeds }) => seeds).length);
  expect(runs.filter(({ passed }) => passed <= 10)).toEqual([]);
  expect(runs.flatMap(({ differences }) => differences)).toEqual([]);
  expect(runs.flatMap(({ suiteErrors, leftBehind }) => [...suiteErrors, ...leftBehind])).toEqual(
    [],
  );
  const others = runs.filter(
    ({ outcome, failed, inconclusive }) => outcome !== 'conformant' || failed + inconclusive > 0,
  );
  expect(others).toEqual([]);
}
