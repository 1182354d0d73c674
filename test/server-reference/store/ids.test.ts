import { expect, expectTypeOf, test } from 'vitest';

import { cancelDeliveries } from '../../../server-reference/src/events/delivery.ts';
import type { DeliveryRecord } from '../../../server-reference/src/store/deliveries.ts';
import type {
  AutomationId,
  DeliveryId,
  EventId,
  RunId,
} from '../../../server-reference/src/store/ids.ts';
import { emptyState } from '../../../server-reference/src/store/state.ts';
import type { State } from '../../../server-reference/src/store/state.ts';
import { nextId } from '../../../server-reference/src/store/seed.ts';

// `tsc -p test` checks these lines: each must be an error of the compiler. Nothing calls the functions.
export const REFUSED = [
  (state: State, text: string): void => {
    // @ts-expect-error -- a text from outside
    state.runs.delete(text);
    // @ts-expect-error -- a text in the source
    state.defaultWorldId = 'world_1';
  },
  (state: State, { id, eventId }: DeliveryRecord): void => {
    // @ts-expect-error -- the id of another kind of record
    state.runs.delete(id);
    // @ts-expect-error -- the same
    cancelDeliveries(state, eventId, 'endpoint_disabled');
  },
  (runId: RunId, eventId: EventId): boolean => {
    // @ts-expect-error -- two ids that are never equal
    return runId === eventId;
  },
];

test('the prefix of a new id names its kind', () => {
  const state = emptyState(1, 'token');
  expectTypeOf(nextId(state, 'exec_')).toEqualTypeOf<RunId>();
  expectTypeOf(nextId(state, 'wf_')).toEqualTypeOf<AutomationId>();
  expectTypeOf(nextId(state, 'agent_')).toEqualTypeOf<AutomationId>();
  expectTypeOf(nextId(state, 'correction_')).toEqualTypeOf<string>();
  expect(nextId(state, 'dlv_')).toMatch(/^dlv_[0-9a-f]{20}$/);
});

test('a text becomes an id when a record is found by it', () => {
  const { deliveries } = emptyState(1, 'token');
  const text: string = 'dlv_1';
  const found = deliveries.get(text);
  expectTypeOf(found?.id).toEqualTypeOf<DeliveryId | undefined>();
  expect(found).toBeUndefined();
});
