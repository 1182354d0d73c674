import { availableParallelism } from 'node:os';
import { LEDGER, variants } from '@hookproof/conformance/proof';
import type { Defect } from '@hookproof/conformance/proof';
import { afterAll, describe, expect, test } from 'vitest';

import { openJudges } from './judges.ts';
import { mixturesOf } from './mixtures.ts';
import type { Mixture } from './mixtures.ts';
import { findersOf, objectionsToVariants } from './verdicts.ts';

export const MIXTURES: readonly Mixture[] = [
  ...mixturesOf('api', variants, 60),
  ...mixturesOf('sender', variants, 25),
  ...mixturesOf('receiver', variants, 23),
];

// One more than there are cores, because a run sometimes waits in real time.
const judges = openJudges(availableParallelism() + 1);
afterAll(() => judges.close());

/** Defines a test for each defect: exactly the checks of the ledger find it. */
export function proveDefects(defects: readonly Defect[]): void {
  describe.concurrent('the suite finds', () => {
    test.each(defects)('the defect $id', async ({ id, side }) => {
      const only = LEDGER[id] ?? [];
      expect(findersOf(await judges.judge({ side, ids: [id], only }))).toEqual(only.toSorted());
    });
  });
}

/** Defines a test for each mixture: no check objects to it. */
export function proveMixtures(mixtures: readonly Mixture[]): void {
  describe.concurrent('the suite accepts', () => {
    test.each(mixtures)('$name', async ({ side, variants: parts, seed }) => {
      const ids = parts.map(({ id }) => id);
      const judged = await judges.judge({ side, ids, seed });
      expect(objectionsToVariants(parts, judged), `together: ${ids.join(' ')}`).toEqual([]);
    });
  });
}
