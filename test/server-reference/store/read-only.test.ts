import { expect, expectTypeOf, test } from 'vitest';

import { requestRedelivery } from '../../../server-reference/src/events/delivery.ts';
import type { DeliveryRecord } from '../../../server-reference/src/store/deliveries.ts';
import type { DeepReadonly } from '../../../server-reference/src/store/read-only.ts';
import type { RunId } from '../../../server-reference/src/store/ids.ts';
import type { RunRecord } from '../../../server-reference/src/store/runs.ts';
import { emptyState } from '../../../server-reference/src/store/state.ts';
import type { ReadonlyState, State } from '../../../server-reference/src/store/state.ts';
import { openStorage } from '../../../server-reference/src/store/open-storage.ts';
import { nextId } from '../../../server-reference/src/store/seed.ts';
import type { Store } from '../../../server-reference/src/store/store.ts';

// `tsc -p test` checks these lines: each must be an error of the compiler. Nothing calls the functions.
export const REFUSED = [
  ({ state }: Store, runId: RunId): void => {
    // @ts-expect-error -- the state itself
    state.defaultWorldId = null;
    // @ts-expect-error -- a table
    state.runs.delete(runId);
    // @ts-expect-error -- a record
    state.runs.find(() => true)?.history.pop();
  },
  ({ state }: Store): void => {
    // @ts-expect-error -- whatever changes the state needs a state that can be changed
    nextId(state, 'exec_');
  },
  (state: State, runId: RunId): void => {
    const run = state.runs.get(runId);
    // @ts-expect-error -- a record that was not marked as changed, also in a commit
    if (run !== undefined) run.status = 'failed';
    for (const one of state.runs.values()) {
      // @ts-expect-error -- the same
      one.history.pop();
    }
  },
  async (store: Store, run: RunRecord): Promise<void> => {
    const committed = await store.commit(() => ({ run }));
    // @ts-expect-error -- a record that a commit returned
    committed.run.status = 'failed';
    // @ts-expect-error -- the same
    committed.run.history.pop();
  },
  (delivery: DeepReadonly<DeliveryRecord>, now: number): void => {
    // @ts-expect-error -- whatever changes a record needs one that can be changed
    requestRedelivery(delivery, now);
  },
];

test('only a commit has a state that can be changed', async () => {
  const { store } = await openStorage({ kind: 'memory' }, emptyState(1, 'token'));
  expectTypeOf(store.state).toEqualTypeOf<ReadonlyState>();
  const committed = store.commit((state) => {
    expectTypeOf(state).toEqualTypeOf<State>();
    return state.ids;
  });
  expectTypeOf(await committed).toEqualTypeOf<Readonly<State['ids']>>();
  expect(await committed).toBe(store.state.ids);
  await store.close();
});
