import { realClock } from '@hookproof/receiver';
import type { Clock, IncomingEvent, LeasedJob, Store, StoreHost } from '@hookproof/receiver';

/** Opens a store as a receiver does. */
export async function openStore(store: Store, clock: Clock = realClock()): Promise<Store> {
  const host: StoreHost = { clock, wake: () => {}, conflict: () => {} };
  await store.open(host);
  return store;
}

/** Takes jobs as a holder that has nothing in hand. */
export function take(store: Store, limit = 10): Promise<readonly LeasedJob[]> {
  return store.take({ holder: 'test', inHand: [], limit, leaseFor: 3_600_000 });
}

/** Settles the first event of each job that is due, with its run or without. */
export async function settleFirsts(store: Store, runSettled: boolean): Promise<void> {
  for (const { lease, open } of await take(store)) {
    const id = open[0]?.id ?? '';
    const outcome = { id, as: 'settled', runSettled, keepBodyFor: 0 } as const;
    await store.finish(lease, [outcome], { do: 'release', dueIn: null });
  }
}

/** Returns a verified delivery: of a run if there is one, else a single event. */
export function incoming(
  id: string,
  { body = new TextEncoder().encode(id), runId = '' }: { body?: Uint8Array; runId?: string } = {},
): IncomingEvent {
  const createdAt = '2026-07-01T00:00:00.000Z';
  const edge = { id, previousStatus: null, currentStatus: 'pending', createdAt };
  const content =
    runId === ''
      ? ({ kind: 'single' } as const)
      : ({ kind: 'run', runId, automationId: null, edge } as const);
  return { id, body, timestamp: 1, content };
}
