import { test } from 'vitest';

import { expectNoisyRuns } from './expect-noisy-runs.ts';
import type { NoisyRuns } from './noisy-runs.ts';

/**
 * 50 runs, half of them one check at a time: 10 of API and sender with all access, 10 of a receiver, 30 that only read.
 * They wait most of the time, so that one process for each line shares the cores with the others.
 */
const PROCESSES: readonly NoisyRuns[] = [
  ...[1, 3, 5, 7, 9].map((seed): NoisyRuns => ({ kind: 'full', seeds: [seed] })),
  { kind: 'full', seeds: [2, 4] },
  { kind: 'full', seeds: [6, 8] },
  { kind: 'full', seeds: [10] },
  { kind: 'receiver', seeds: [1, 3, 2] },
  { kind: 'receiver', seeds: [5, 7, 4] },
  { kind: 'receiver', seeds: [9, 6, 8, 10] },
  ...[0, 6, 12, 18, 24].map((first): NoisyRuns => ({
    kind: 'reads',
    seeds: [1, 2, 3, 4, 5, 6].map((offset) => first + offset),
  })),
];

test('noise changes no verdict in 50 runs', () => expectNoisyRuns(PROCESSES));
