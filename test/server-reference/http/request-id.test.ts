import { expect, test } from 'vitest';

import { requestIds } from '../../../server-reference/src/http/request.ts';

function three(seed: number, startedAt: number): string[] {
  return Array.from({ length: 3 }, requestIds(seed, startedAt));
}

test('request ids depend on the seed, the start time and their order', () => {
  const ids = three(7, 1_000);
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{36}$/);
  expect(three(7, 1_000)).toEqual(ids);
});

test('another seed and another start time give other ids', () => {
  const all = [...three(7, 1_000), ...three(8, 1_000), ...three(7, 1_001)];
  expect(new Set(all).size).toBe(9);
});
