import { test } from 'vitest';

import { expectNoisyRuns } from './expect-noisy-runs.ts';

// Even seeds run eight checks at a time; one at a time takes minutes, and is in the long group.
test('noise changes no verdict in a run of each kind', () =>
  expectNoisyRuns([
    { kind: 'full', seeds: [2] },
    { kind: 'receiver', seeds: [2] },
    { kind: 'reads', seeds: [2] },
  ]));
