import type { ApiFaultRow, DeliveryFaultRow, SinkRow } from '@hookproof/spec/control';

import { isoTime } from '../../clock/clock.ts';
import type { Clock } from '../../clock/clock.ts';
import { apiFaultView } from '../api-faults/api-fault-plan.ts';
import type { ApiFaultPlan, InjectedApiFault } from '../api-faults/api-fault-plan.ts';
import { deliveryFaultView } from '../delivery-faults/delivery-fault-plan.ts';
import type {
  DeliveryFaultPlan,
  InjectedDeliveryFault,
} from '../delivery-faults/delivery-fault-plan.ts';
import type { Sink } from '../sinks/sink.ts';
import type { Sinks } from '../sinks/sinks.ts';
import type { ActivityFeed } from './feed.ts';
import { WatchedList } from './watched-list.ts';

/** What the stream watches besides the store. */
interface LabLists {
  readonly apiFaults: ApiFaultPlan;
  readonly deliveryFaults: DeliveryFaultPlan;
  readonly sinks: Sinks;
}

/**
 * Returns a function that publishes what has changed in the faults and sinks since its last call. Call it after
 * each change.
 */
export function watchLab(lists: LabLists, feed: ActivityFeed, clock: Clock): () => void {
  const removed =
    (kind: 'api-fault' | 'delivery-fault' | 'sink') =>
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
  const seen = new WeakMap<Sink, WatchedSink>();
  const openSinks = (): WatchedSink[] => lists.sinks.list().map((sink) => watchedSink(seen, sink));
  const sinks = new WatchedList<WatchedSink>(
    openSinks(),
    (sink) => feed.publish({ event: 'sink', data: sinkRow(sink) }),
    removed('sink'),
  );
  return () => {
    apiFaults.update(lists.apiFaults.list());
    deliveryFaults.update(lists.deliveryFaults.list());
    sinks.update(openSinks());
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

/** A sink at one moment. */
type WatchedSink = Pick<Sink, 'id' | 'url' | 'createdAt' | 'arrived' | 'script'>;

/** Returns the same object as long as nothing that a row shows has changed. */
function watchedSink(seen: WeakMap<Sink, WatchedSink>, sink: Sink): WatchedSink {
  const last = seen.get(sink);
  if (last !== undefined && last.arrived === sink.arrived && last.script === sink.script)
    return last;
  const { id, url, createdAt, arrived, script } = sink;
  const next = { id, url, createdAt, arrived, script };
  seen.set(sink, next);
  return next;
}

function sinkRow({ id, url, createdAt, arrived }: WatchedSink): SinkRow {
  return { id, url, createdAt: isoTime(createdAt), arrived };
}
