import { realClock } from '@hookproof/receiver';
import type { Clock } from '@hookproof/receiver';

import type { LeasedJob, NewEvent, Store } from '../../../receiver/src/stores/store.ts';
import { keyed, single } from './contract/kit.ts';

/** Opens a store as a receiver does. */
export async function openStore(store: Store, clock: Clock = realClock()): Promise<Store> {
  await store.open({ clock });
  return store;
}

/** Takes jobs as a holder that has nothing in hand. */
export async function take(store: Store, limit = 10): Promise<readonly LeasedJob[]> {
  return (await store.take({ holder: 'test', inHand: [], limit, leaseFor: 3_600_000 })).jobs;
}

/** Returns a verified delivery: of a key if there is one, else a single event. */
export function incoming(
  id: string,
  {
    body = new TextEncoder().encode(id),
    key = null,
  }: { readonly body?: Uint8Array; readonly key?: string | null } = {},
): NewEvent {
  return key === null ? { ...single(id), body } : keyed(key, id, { body });
}
