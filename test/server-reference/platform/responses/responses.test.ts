import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OPERATIONS, documentedPairs } from './documented-pairs.ts';
import { GOOD_REQUESTS } from './good-requests.ts';
import { originsOf, pairsOfTables, produceResponse } from './produce-response.ts';
import { openSandboxes } from './sandbox.ts';
import type { Sandboxes } from './sandbox.ts';

const PAIRS = documentedPairs();
const named = PAIRS.map((pair) => ({ name: nameOf(pair), pair }));

function nameOf({ operation, status }: (typeof PAIRS)[number]): string {
  return `${operation.operationId} ${status}`;
}

let sandboxes: Sandboxes;
beforeAll(async () => {
  sandboxes = await openSandboxes();
});
afterAll(() => sandboxes.close());

describe('every documented response', () => {
  test('has exactly one way to be produced', () => {
    const odd = named.filter(({ pair }) => originsOf(pair).length !== 1);
    expect(odd.map(({ name, pair }) => `${name}: ${originsOf(pair).join(' and ')}`)).toEqual([]);
  });

  test('is in the tables, which contain no others', () => {
    const documented = new Set(named.map(({ name }) => name));
    expect(pairsOfTables().filter((name) => !documented.has(name))).toEqual([]);
    expect(Object.keys(GOOD_REQUESTS).toSorted()).toEqual(
      OPERATIONS.map(({ operationId }) => operationId).toSorted(),
    );
  });

  test.each(named)('$name', async ({ pair }) => {
    const response = await produceResponse(pair, sandboxes);
    expect(response.status, JSON.stringify(response.body)).toBe(pair.status);
  });
});
