import { expect, test } from 'vitest';

import { createMemoryStore } from '../../../../server-reference/src/platform/store/group-commit.ts';
import { emptyState } from '../../../../server-reference/src/platform/state/state.ts';
import { cacheUntilCommit } from '../../../../server-reference/src/platform/store/cache-until-commit.ts';
import { setTitle, titles } from './store-contract.ts';

test('a result is computed once per key, and again after each commit, awaited or not', () => {
  const store = createMemoryStore(emptyState(1, 'token'));
  const cached = cacheUntilCommit<string>(store);
  let computed = 0;
  const ask = (key: string): string =>
    cached(key, () => {
      computed += 1;
      return `${key} ${JSON.stringify(titles(store.state))}`;
    });

  expect([ask('a'), ask('a'), ask('b'), ask('a')]).toEqual(['a {}', 'a {}', 'b {}', 'a {}']);
  expect(computed).toBe(2);
  void store.commit(setTitle('one', 'first'));
  expect([ask('a'), ask('a')]).toEqual(['a {"one":"first"}', 'a {"one":"first"}']);
  expect(computed).toBe(3);
});

test('at most 20 results are cached', () => {
  const cached = cacheUntilCommit<number>(createMemoryStore(emptyState(1, 'token')));
  let computed = 0;
  for (let round = 0; round < 2; round += 1) {
    for (let key = 0; key < 21; key += 1) cached(String(key), () => (computed += 1));
  }
  expect(computed).toBeGreaterThan(21);
});
