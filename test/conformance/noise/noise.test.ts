import { expect, test } from 'vitest';

import { noisyRuns } from './noisy-runs.ts';
import type { NoisyRuns } from './noisy-runs.ts';

const SAME = {
  outcome: 'conformant',
  failed: 0,
  inconclusive: 0,
  suiteErrors: [],
  leftBehind: [],
  differences: [],
};

/** The 50 whole runs are among the long tests. */
test.concurrent.each<NoisyRuns>([
  { kind: 'reads', seeds: [2], jitterMilliseconds: 20 },
  {
    kind: 'full',
    seeds: [4],
    jitterMilliseconds: 20,
    only: ['api.status-code', 'api.file-content', 'sender.endpoint'],
  },
])('noise changes no verdict of $kind', async (runs) => {
  const [run] = await noisyRuns(runs);
  expect(run).toMatchObject(SAME);
  expect(run?.passed).toBeGreaterThan(10);
});
