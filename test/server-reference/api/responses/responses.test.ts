import { describe, expect, test } from 'vitest';

import { OPERATIONS, documentedPairs } from './documented-pairs.ts';
import { GOOD_REQUESTS } from './good-requests.ts';
import { isUsual, nameOf, produceEach } from './produce-each.ts';
import { originsOf, pairsOfTables } from './produce-response.ts';

const PAIRS = documentedPairs();

describe('every documented response', () => {
  test('has exactly one way to be produced', () => {
    const odd = PAIRS.filter((pair) => originsOf(pair).length !== 1);
    expect(odd.map((pair) => `${nameOf(pair)}: ${originsOf(pair).join(' and ')}`)).toEqual([]);
  });

  test('is in the tables, which contain no others', () => {
    const documented = new Set(PAIRS.map(nameOf));
    expect(pairsOfTables().filter((name) => !documented.has(name))).toEqual([]);
    expect(Object.keys(GOOD_REQUESTS).toSorted()).toEqual(
      OPERATIONS.map(({ operationId }) => operationId).toSorted(),
    );
  });
});

describe('a documented success or 400', () => {
  produceEach(PAIRS.filter(isUsual));
});
