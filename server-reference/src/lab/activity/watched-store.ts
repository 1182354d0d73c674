import type {
  ApiKeyId,
  ApiKeySecret,
  DeliveryId,
  EventId,
  RunId,
  WebhookEndpointId,
  WorldId,
} from '../../store/ids.ts';
import { pruneHistory } from '../../store/prune-history.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState, State } from '../../store/state.ts';
import type { ReadonlyTable } from '../../store/table.ts';
import type { Store } from '../../store/store.ts';
import type { SentRequests } from '../attempts/sent-requests.ts';
import type { Activity, ActivityFeed } from './feed.ts';
import { deliveryRow } from './delivery-row.ts';
import { attemptRow, endpointRow, eventRow, keyRow, runRow, worldRow } from './rows.ts';
import { WatchedTable } from './watched-table.ts';

/** Returns a store that publishes the rows of each commit when it is written, once the feed is open. */
export function watchedStore(store: Store, feed: ActivityFeed, requests: SentRequests): Store {
  function commit<T>(mutate: (state: State) => T): Promise<DeepReadonly<T>>;
  async function commit(mutate: (state: State) => unknown): Promise<unknown> {
    let rows: readonly Activity[] = [];
    try {
      return await store.commit((state) => {
        const touched = new TouchedRecords();
        const watched = touched.watch(state);
        const value = mutate(watched);
        // Here too, so that the rows of what it deletes are published.
        pruneHistory(watched);
        // Now, because a later commit may change the records before this one is written.
        rows = touched.rows(state, requests);
        return value;
      });
    } finally {
      // Also after a failed write, because the change stays in memory.
      for (const row of rows) feed.publish(row);
    }
  }

  let isWatched = false;
  feed.onOpen(() => {
    isWatched = true;
  });
  return {
    get state() {
      return store.state;
    },
    commit: (mutate) => (isWatched ? commit(mutate) : store.commit(mutate)),
    flush: () => store.flush(),
    onRecovery: (listener) => store.onRecovery(listener),
    close: () => store.close(),
  };
}

/** The records of one commit that the stream shows. */
class TouchedRecords {
  readonly #worlds = new Set<WorldId>();
  /** With the ids before the commit, because the table has the keys under their secrets. */
  readonly #keys = new Map<ApiKeySecret, ApiKeyId | undefined>();
  readonly #endpoints = new Set<WebhookEndpointId>();
  readonly #runs = new Set<RunId>();
  readonly #events = new Set<EventId>();
  /** With the number of attempts before the commit. */
  readonly #deliveries = new Map<DeliveryId, number>();

  /** Returns a state whose tables note here what is changed. */
  watch(state: State): State {
    const { worlds, apiKeys, webhookEndpoints, runs, events, deliveries } = state;
    const watched: Partial<State> = {
      worlds: new WatchedTable(worlds, idOf, (id) => this.#worlds.add(id)),
      apiKeys: new WatchedTable(
        apiKeys,
        ({ key }) => key,
        (secret) => {
          if (!this.#keys.has(secret)) this.#keys.set(secret, apiKeys.get(secret)?.id);
        },
      ),
      webhookEndpoints: new WatchedTable(webhookEndpoints, idOf, (id) => this.#endpoints.add(id)),
      runs: new WatchedTable(runs, idOf, (id) => this.#runs.add(id)),
      events: new WatchedTable(events, idOf, (id) => this.#events.add(id)),
      deliveries: new WatchedTable(deliveries, idOf, (id) => {
        if (this.#deliveries.has(id)) return;
        this.#deliveries.set(id, deliveries.get(id)?.attempts.length ?? 0);
      }),
    };
    return new Proxy(state, {
      get: (target, name): unknown =>
        Reflect.get(Object.hasOwn(watched, name) ? watched : target, name),
    });
  }

  rows(state: ReadonlyState, requests: SentRequests): Activity[] {
    return [
      ...rowsOf(this.#worlds, state.worlds, 'world', (data) => ({
        event: 'world',
        data: worldRow(data),
      })),
      ...this.#keyRows(state),
      ...rowsOf(this.#endpoints, state.webhookEndpoints, 'endpoint', (data) => ({
        event: 'endpoint',
        data: endpointRow(data),
      })),
      ...rowsOf(this.#runs, state.runs, 'run', (run) => ({
        event: 'run',
        data: runRow(state, run),
      })),
      ...rowsOf(this.#events, state.events, 'event', (data) => ({
        event: 'event',
        data: eventRow(data),
      })),
      ...[...this.#deliveries].flatMap(([id, attemptsBefore]) =>
        deliveryRows(state, requests, id, attemptsBefore),
      ),
    ];
  }

  #keyRows({ apiKeys }: ReadonlyState): Activity[] {
    return [...this.#keys].flatMap(([secret, id]): Activity[] => {
      const key = apiKeys.get(secret);
      if (key !== undefined) return [{ event: 'key', data: keyRow(key) }];
      return id === undefined ? [] : [{ event: 'removed', data: { kind: 'key', id } }];
    });
  }
}

function idOf<I extends string>({ id }: { readonly id: I }): I {
  return id;
}

/** One row for each record that a commit changed or deleted. */
function rowsOf<T>(
  ids: Iterable<string>,
  table: ReadonlyTable<T>,
  kind: Extract<Activity, { event: 'removed' }>['data']['kind'],
  row: (record: DeepReadonly<T>) => Activity,
): Activity[] {
  return [...ids].map((id) => {
    const record = table.get(id);
    return record === undefined ? { event: 'removed', data: { kind, id } } : row(record);
  });
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
  return [...attempts, { event: 'delivery', data: deliveryRow(state, delivery) }];
}
