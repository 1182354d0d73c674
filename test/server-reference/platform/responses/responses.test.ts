import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { answersTable } from './responses-table.ts';
import { OPERATIONS, documentedPairs } from './documented-pairs.ts';
import { GOOD_REQUESTS } from './good-requests.ts';
import { originsOf, pairsOfTables, produceAnswer } from './produce-response.ts';
import { openTheatre } from './sandbox.ts';
import type { Theatre } from './sandbox.ts';

const README = fileURLToPath(new URL('../../../../server-reference/README.md', import.meta.url));
const PAIRS = documentedPairs();
const named = PAIRS.map((pair) => ({ name: nameOf(pair), pair }));

function nameOf({ operation, status }: (typeof PAIRS)[number]): string {
  return `${operation.operationId} ${status}`;
}

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

describe('every documented answer', () => {
  test('has exactly one way that leads to it', () => {
    const odd = named.filter(({ pair }) => originsOf(pair).length !== 1);
    expect(odd.map(({ name, pair }) => `${name}: ${originsOf(pair).join(' and ')}`)).toEqual([]);
  });

  test('is all that the tables speak of', () => {
    const documented = new Set(named.map(({ name }) => name));
    expect(pairsOfTables().filter((name) => !documented.has(name))).toEqual([]);
    expect(Object.keys(GOOD_REQUESTS).toSorted()).toEqual(
      OPERATIONS.map(({ operationId }) => operationId).toSorted(),
    );
  });

  test.each(named)('$name', async ({ pair }) => {
    const answer = await produceAnswer(pair, theatre);
    expect(answer.status, JSON.stringify(answer.body)).toBe(pair.status);
  });

  test('is tabled in the README', async () => {
    const readme = readFileSync(README, 'utf8');
    const generated = readme.replace(
      /(<!-- answers -->\n)[^]*?(\n<!-- \/answers -->)/,
      (_old, start: string, end: string) => `${start}${answersTable()}${end}`,
    );
    expect(readme).toContain('<!-- answers -->');
    await expect(generated).toMatchFileSnapshot(README);
  });
});
