import { describe, expect, test } from 'vitest';

import type { ReadonlyState, State } from '../../../server-reference/src/store/state.ts';
import type { Store } from '../../../server-reference/src/store/store.ts';
import { asId } from '../state-by-text.ts';

/** The promises of every store; run once for each. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(`${name} keeps the promises of a store`, () => {
    test('a change is visible at once and returned when it is durable', async () => {
      const store = await open();
      const committed = store.commit(setTitle('one', 'first'));
      expect(titles(store.state)).toEqual({ one: 'first' });
      expect(await committed).toBe('first');
      await store.close();
    });

    test('commits are applied in the order in which they were made', async () => {
      const store = await open();
      const order: number[] = [];
      await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          store.commit((state) => {
            order.push(index);
            setTitle('last', String(index))(state);
          }),
        ),
      );
      expect(order).toEqual(Array.from({ length: 100 }, (_, index) => index));
      expect(titles(store.state)).toEqual({ last: '99' });
      await store.close();
    });

    test('a commit made while another settles is kept', async () => {
      const store = await open();
      for (let round = 0; round < 20; round += 1) {
        await store
          .commit(setTitle('round', String(round)))
          .then(() => store.commit(setTitle('after', String(round))));
      }
      expect(titles(store.state)).toEqual({ round: '19', after: '19' });
      await store.close();
    });

    test('an error of the mutation reaches its caller and no other commit', async () => {
      const store = await open();
      const good = store.commit(setTitle('good', 'kept'));
      const bad = store.commit(() => {
        throw new RangeError('no');
      });
      await expect(bad).rejects.toThrow(RangeError);
      await good;
      expect(titles(store.state)).toEqual({ good: 'kept' });
      await store.close();
    });

    test('close waits for the commits in progress and refuses later ones', async () => {
      const store = await open();
      const committed = store.commit(setTitle('one', 'kept'));
      const closed = Promise.all([store.close(), store.close()]);
      await expect(store.commit(setTitle('two', 'lost'))).rejects.toMatchObject({
        name: 'StoreError',
        code: 'store_closed',
        message: 'The store is closed; commit before close().',
      });
      await closed;
      expect(await committed).toBe('kept');
      expect(titles(store.state)).toEqual({ one: 'kept' });
    });
  });
}

/** A small visible change: the name of a tenant. */
export function setTitle(id: string, name: string): (state: State) => string {
  return (state) => {
    state.tenants.add({
      id: asId(id),
      worldId: asId('world_1'),
      slug: id,
      name,
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    return name;
  };
}

export function titles(state: ReadonlyState): Record<string, string> {
  return Object.fromEntries([...state.tenants.values()].map(({ id, name }) => [id, name]));
}
