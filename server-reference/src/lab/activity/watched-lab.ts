import type { ApiFaultRow, DeliveryFaultRow } from '@hookproof/spec/control';

import type { Clock } from '../../clock/clock.ts';
import { apiFaultView } from '../api-faults/api-fault-plan.ts';
import type { ApiFaultPlan, InjectedApiFault } from '../api-faults/api-fault-plan.ts';
import { deliveryFaultView } from '../delivery-faults/delivery-fault-plan.ts';
import type {
  DeliveryFaultPlan,
  InjectedDeliveryFault,
} from '../delivery-faults/delivery-fault-plan.ts';
import type { ActivityFeed } from './feed.ts';
import { WatchedList } from './watched-list.ts';

/** What the stream watches besides the store. */
interface LabLists {
  readonly apiFaults: ApiFaultPlan;
  readonly deliveryFaults: DeliveryFaultPlan;
}

/**
 * Returns a function that publishes what has changed in the faults since its last call. Call it after
 * each change.
 */
export function watchLab(lists: LabLists, feed: ActivityFeed, clock: Clock): () => void {
  const removed =
    (kind: 'api-fault' | 'delivery-fault') =>
    (id: string): void =>
      feed.publish({ event: 'removed', data: { kind, id } });
  const apiFaults = new WatchedList<InjectedApiFault>(
    lists.apiFaults.list(),
    (fault, before) =>
      feed.publish({ event: 'api-fault', data: apiFaultRow(fault, before, clock.now()) }),
    removed('api-fault'),
  );
  const deliveryFaults = new WatchedList<InjectedDeliveryFault>(
    lists.deliveryFaults.list(),
    (fault, before) =>
      feed.publish({ event: 'delivery-fault', data: deliveryFaultRow(fault, before) }),
    removed('delivery-fault'),
  );
  return () => {
    apiFaults.update(lists.apiFaults.list());
    deliveryFaults.update(lists.deliveryFaults.list());
  };
}

function apiFaultRow(
  fault: InjectedApiFault,
  before: InjectedApiFault | undefined,
  now: number,
): ApiFaultRow {
  const { recentHits: _hits, match, ...view } = apiFaultView(fault, now);
  const { key: _secret, ...shown } = match;
  return { fault: { ...view, match: shown }, hit: newHit(fault, before) };
}

function deliveryFaultRow(
  fault: InjectedDeliveryFault,
  before: InjectedDeliveryFault | undefined,
): DeliveryFaultRow {
  const { recentHits: _hits, ...view } = deliveryFaultView(fault);
  return { fault: view, hit: newHit(fault, before) };
}

/** Each hit is announced, so that there is at most one new one. */
function newHit<Hit>(
  { hits, recentHits }: { readonly hits: number; readonly recentHits: readonly Hit[] },
  before: { readonly hits: number } | undefined,
): Hit | null {
  return hits > (before?.hits ?? 0) ? (recentHits.at(-1) ?? null) : null;
}
