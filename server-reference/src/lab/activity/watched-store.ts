import type { ApiKeyId } from '../../store/ids.ts';
import { pruneHistory } from '../../store/prune-history.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { ReadonlyState, State, Tables } from '../../store/state.ts';
import type { ReadonlyTable } from '../../store/table.ts';
import type { Store } from '../../store/store.ts';
import type { SentRequests } from '../attempts/sent-requests.ts';
import type { Activity, Feed } from './feed.ts';
import { deliveryRow } from './delivery-row.ts';
import { attemptRow, endpointRow, eventRow, keyRow, runRow, worldRow } from './rows.ts';

/** Returns a store that tells the feed of each commit when it is written, with its rows if they are read. */
export function watchedStore(store: Store, feed: Feed, requests: SentRequests): Store {
  function commit<T>(mutate: (state: State) => T): Promise<DeepReadonly<T>>;
  async function commit(mutate: (state: State) => unknown): Promise<unknown> {
    let rows: readonly Activity[] = [];
    try {
      return await store.commit((state) => {
        if (!feed.isRead) return mutate(state);
        const touched = new TouchedRecords();
        state.onChange = (table, id) => touched.note(state, table, id);
        try {
          const value = mutate(state);
          // Here too, so that the rows of what it deletes are published.
          pruneHistory(state);
          return value;
        } finally {
          state.onChange = null;
          // Now, because a later commit may change the records before this one is written.
          rows = touched.rows(state, requests);
        }
      });
    } finally {
      // Also after a failed write, because the change stays in memory.
      for (const row of rows) feed.publish(row);
      feed.announce();
    }
  }

  return {
    get state() {
      return store.state;
    },
    commit,
    close: () => store.close(),
  };
}

/** The records that a commit adds, edits and deletes, of the tables that the stream shows. */
class TouchedRecords {
  readonly #ids = {
    worlds: new Set<string>(),
    webhookEndpoints: new Set<string>(),
    runs: new Set<string>(),
    events: new Set<string>(),
  };
  /** With the ids before the commit, because the table has the keys under their secrets. */
  readonly #keys = new Map<string, ApiKeyId | undefined>();
  /** With the number of attempts before the commit. */
  readonly #deliveries = new Map<string, number>();

  /** Call it before a record is changed. */
  note(state: ReadonlyState, table: keyof Tables, id: string): void {
    if (table === 'apiKeys') {
      if (!this.#keys.has(id)) this.#keys.set(id, state.apiKeys.get(id)?.id);
    } else if (table === 'deliveries') {
      if (this.#deliveries.has(id)) return;
      this.#deliveries.set(id, state.deliveries.get(id)?.attempts.length ?? 0);
    } else if (isListed(table)) this.#ids[table].add(id);
  }

  rows(state: ReadonlyState, requests: SentRequests): Activity[] {
    const { worlds, webhookEndpoints, runs, events } = this.#ids;
    return [
      ...rowsOf(worlds, state.worlds, 'world', (data) => ({
        event: 'world',
        data: worldRow(data),
      })),
      ...this.#keyRows(state),
      ...rowsOf(webhookEndpoints, state.webhookEndpoints, 'endpoint', (data) => ({
        event: 'endpoint',
        data: endpointRow(data),
      })),
      ...rowsOf(runs, state.runs, 'run', (run) => ({
        event: 'run',
        data: runRow(state, run),
      })),
      ...rowsOf(events, state.events, 'event', (data) => ({
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

function isListed(table: keyof Tables): table is 'worlds' | 'webhookEndpoints' | 'runs' | 'events' {
  return ['worlds', 'webhookEndpoints', 'runs', 'events'].includes(table);
}

/** One row for each record that a commit changed or deleted. */
function rowsOf<T extends object>(
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
  id: string,
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
