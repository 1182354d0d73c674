import { test } from 'vitest';

import { expectNoisyRuns } from './expect-noisy-runs.ts';

test('noise changes no verdict in a run of each kind', () =>
  expectNoisyRuns([
    { kind: 'full', seeds: [2] },
    { kind: 'receiver', seeds: [1] },
    { kind: 'reads', seeds: [1] },
  ]));
