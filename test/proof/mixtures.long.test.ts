import { variants } from '@hookproof/conformance/proof';
import { expect, test } from 'vitest';

import { unmetPairs } from './mixtures.ts';
import { MIXTURES, proveMixtures } from './prove.ts';

proveMixtures(MIXTURES);

test('every variant is in a mixture, and most pairs of freedoms have met', () => {
  const mixed = new Set(MIXTURES.flatMap(({ variants: parts }) => parts.map(({ id }) => id)));
  expect(variants.filter(({ id }) => !mixed.has(id))).toEqual([]);
  expect(unmetPairs(variants, MIXTURES).length).toBeLessThan(unmetPairs(variants, []).length / 2);
});
