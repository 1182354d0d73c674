import { availableParallelism } from 'node:os';
import { defects, LEDGER, variants } from '@hookproof/conformance/proof';
import { afterAll, describe, expect, test } from 'vitest';

import { openJudges } from '../proof/judges.ts';
import { mixturesOf, unmetPairs } from '../proof/mixtures.ts';
import { findersOf, objectionsToVariants } from '../proof/verdicts.ts';

const MIXTURES = [
  ...mixturesOf('api', variants, 60),
  ...mixturesOf('sender', variants, 25),
  ...mixturesOf('receiver', variants, 23),
];

// One more than there are cores, because a run sometimes waits in real time.
const judges = openJudges(availableParallelism() + 1);
afterAll(() => judges.close());

describe.concurrent('the suite finds', () => {
  test.each(defects)('the defect $id', async ({ id, side }) => {
    const only = LEDGER[id] ?? [];
    expect(findersOf(await judges.judge({ side, ids: [id], only }))).toEqual(only.toSorted());
  });
});

describe.concurrent('the suite accepts', () => {
  test.each(MIXTURES)('$name', async ({ side, variants: parts, seed }) => {
    const ids = parts.map(({ id }) => id);
    const judged = await judges.judge({ side, ids, seed });
    expect(objectionsToVariants(parts, judged), `together: ${ids.join(' ')}`).toEqual([]);
  });
});

test('every variant is in a mixture, and most pairs of freedoms have met', () => {
  const mixed = new Set(MIXTURES.flatMap(({ variants: parts }) => parts.map(({ id }) => id)));
  expect(variants.filter(({ id }) => !mixed.has(id))).toEqual([]);
  expect(unmetPairs(variants, MIXTURES).length).toBeLessThan(unmetPairs(variants, []).length / 2);
});
