import { test } from 'vitest';

import { expectNoisyRuns } from './expect-noisy-runs.ts';

test('noise changes no verdict in 5 runs', () =>
  expectNoisyRuns([
    { kind: 'full', seeds: [2] },
    { kind: 'receiver', seeds: [1, 2] },
    { kind: 'reads', seeds: [1, 2] },
  ]));
