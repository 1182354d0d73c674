import type { DeliveryId, RunId, WebhookEndpointId } from '../../platform/state/ids.ts';
import type { DeepReadonly } from '../../platform/state/read-only.ts';
import type { ReadonlyState, State } from '../../platform/state/state.ts';
import type { Store } from '../../platform/store/store.ts';
import type { SentRequests } from '../attempts/sent-requests.ts';
import type { Activity, ActivityFeed } from './feed.ts';
import { attemptRow, deliveryRow, endpointRow, runRow } from './rows.ts';
import { WatchedTable } from './watched-table.ts';

/** Returns a store that publishes the rows of each commit when it is durable, once the feed is open. */
export function watchedStore(store: Store, feed: ActivityFeed, requests: SentRequests): Store {
  function commit<T>(mutate: (state: State) => T): Promise<DeepReadonly<T>>;
  async function commit(mutate: (state: State) => unknown): Promise<unknown> {
    let rows: readonly Activity[] = [];
    const result = await store.commit((state) => {
      const touched = new TouchedRecords();
      const value = mutate(touched.watch(state));
      // Now, because a later commit may change the records before this one is durable.
      rows = touched.rows(state, requests);
      return value;
    });
    for (const row of rows) feed.publish(row);
    return result;
  }

  const watched: Store = Object.create(store);
  feed.onOpen(() => Object.defineProperty(watched, 'commit', { value: commit }));
  return watched;
}

/** The runs, deliveries and endpoints that one commit changes. */
class TouchedRecords {
  readonly #endpoints = new Set<WebhookEndpointId>();
  readonly #runs = new Set<RunId>();
  /** With the number of attempts before the commit. */
  readonly #deliveries = new Map<DeliveryId, number>();

  /** Returns a state whose tables note here what is changed. */
  watch(state: State): State {
    const watched: Partial<State> = {
      webhookEndpoints: new WatchedTable(state.webhookEndpoints, (id) => this.#endpoints.add(id)),
      runs: new WatchedTable(state.runs, (id) => this.#runs.add(id)),
      deliveries: new WatchedTable(state.deliveries, (id) => {
        if (this.#deliveries.has(id)) return;
        this.#deliveries.set(id, state.deliveries.get(id)?.attempts.length ?? 0);
      }),
    };
    return new Proxy(state, {
      get: (target, name): unknown =>
        Reflect.get(Object.hasOwn(watched, name) ? watched : target, name),
    });
  }

  rows(state: ReadonlyState, requests: SentRequests): Activity[] {
    const endpoints = [...this.#endpoints].map((id): Activity => {
      const endpoint = state.webhookEndpoints.get(id);
      return endpoint === undefined
        ? { event: 'removed', data: { kind: 'endpoint', id } }
        : { event: 'endpoint', data: endpointRow(endpoint) };
    });
    const runs = [...this.#runs].map((id): Activity => {
      const run = state.runs.get(id);
      return run === undefined
        ? { event: 'removed', data: { kind: 'run', id } }
        : { event: 'run', data: runRow(run) };
    });
    const deliveries = [...this.#deliveries].flatMap(([id, attemptsBefore]) =>
      deliveryRows(state, requests, id, attemptsBefore),
    );
    return [...endpoints, ...runs, ...deliveries];
  }
}

/** The new attempts of a delivery, then the delivery. */
function deliveryRows(
  state: ReadonlyState,
  requests: SentRequests,
  id: DeliveryId,
  attemptsBefore: number,
): Activity[] {
  const delivery = state.deliveries.get(id);
  if (delivery === undefined) return [{ event: 'removed', data: { kind: 'delivery', id } }];
  const attempts = delivery.attempts.slice(attemptsBefore).map((attempt): Activity => {
    const sent = requests.find(id, attempt.number);
    return { event: 'attempt', data: attemptRow(state, delivery, attempt, sent) };
  });
  return [...attempts, { event: 'delivery', data: deliveryRow(delivery) }];
}
