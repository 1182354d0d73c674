import * as fc from 'fast-check';
import { expect } from 'vitest';

interface Page {
  readonly ids: readonly string[];
  readonly total: number;
}

/** The rule of every list: each page is the requested slice of the whole. */
export async function assertPagination(
  read: (query: string) => Promise<Page>,
  expectedTotal: number,
): Promise<void> {
  const whole = await read('limit=100');
  expect(whole.total).toBe(expectedTotal);
  expect(whole.ids).toHaveLength(expectedTotal);
  expect(new Set(whole.ids).size).toBe(expectedTotal);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 100 }),
      fc.oneof(fc.nat({ max: expectedTotal + 2 }), fc.maxSafeNat()),
      async (limit, offset) => {
        const page = await read(`limit=${limit}&offset=${offset}`);
        expect(page).toEqual({
          ids: whole.ids.slice(offset, offset + limit),
          total: expectedTotal,
        });
      },
    ),
    { numRuns: 40 },
  );
  expect(await read(`offset=${Number.MAX_SAFE_INTEGER}`)).toEqual({
    ids: [],
    total: expectedTotal,
  });
}

/** Values of `limit` and `offset` that every list refuses. */
export const BAD_PAGING: readonly string[] = [
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=ten',
  'limit=5.0',
  'limit=1e1',
  'limit=0x5',
  'limit=%205',
  'limit=5%20',
  'limit=%2B5',
  'limit=05',
  'limit=5&limit=5',
  'limit=5&limit=6',
  'limit=%D9%A5',
  'offset=-1',
  'offset=1.5',
  'offset=NaN',
  'offset=9007199254740992',
  'offset=9007199254740993',
  'offset=99999999999999999999999999',
  'offset=0&offset=0',
];
