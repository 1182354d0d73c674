import { StoreError } from '../store-error.ts';
import type { Store } from '../store.ts';
import { acceptingEvents } from './accepting.ts';
import { Changing } from './changing.ts';
import { checkDatabase } from './check-database.ts';
import type { Driver } from './driver.ts';
import { unavailable, withRetries } from './failures.ts';
import { bringUpToDate } from './format.ts';
import { Leases } from './leases.ts';
import { Reading } from './reading.ts';
import { LazyTransaction } from './transaction.ts';
import type { PostgresTransaction } from './transaction.ts';

export interface Settings {
  readonly schema: string;
  readonly createTables: boolean;
}

/**
 * Builds the store from its parts. Its operations are own properties, so that `{ ...store, accept
 * }` works.
 */
export function openableStore<Client>(
  driver: Driver<Client>,
  { schema, createTables }: Settings,
  maxTransactions: number | null,
): Required<Store<PostgresTransaction<Client>>> {
  const query = withRetries(driver.query);
  const accept = acceptingEvents(query, schema);
  const leases = new Leases(query, schema);
  const reading = new Reading(query, schema);
  const changing = new Changing(query, schema);
  const calls = new CurrentCalls();

  return {
    async open() {
      try {
        await checkDatabase(query);
        await bringUpToDate(driver, schema, createTables);
      } catch (cause) {
        throw cause instanceof TypeError ? cause : unavailable(cause);
      }
      calls.allow();
    },
    close: () => calls.refuse(),
    accept: (event) => calls.run(() => accept(event)),
    take: (request) => calls.run(() => leases.take(request)),
    events: (lease, afterPosition) => calls.run(() => leases.events(lease, afterPosition)),
    renew: (lease, leaseFor) => calls.run(() => leases.renew(lease, leaseFor)),
    begin: (lease, id) => calls.run(() => leases.begin(lease, id)),
    finish: (lease, outcomes, next) => calls.run(() => leases.finish(lease, outcomes, next)),
    maxTransactions,
    transaction: () => new LazyTransaction(driver, leases),
    settlement: (lease, outcome) => leases.settlement(lease, outcome),
    stats: () => calls.run(() => reading.stats()),
    byHour: () => calls.run(() => reading.byHour()),
    list: (filter, page) => calls.run(() => reading.list(filter, page)),
    keys: (...args) => calls.run(() => reading.keys(...args)),
    body: (source, id) => calls.run(() => reading.body(source, id)),
    paused: () => calls.run(() => reading.paused()),
    change: (what, filter, how) => calls.run(() => changing.change(what, filter, how)),
    setPaused: (name, isPaused) => calls.run(() => changing.setPaused(name, isPaused)),
    purge: (olderThan) => calls.run(() => changing.purge(olderThan)),
  };
}

/** Refuses calls while the store is closed, and gives every failure the code of the store. */
class CurrentCalls {
  readonly #calls = new Set<Promise<unknown>>();
  #isOpen = false;

  allow(): void {
    this.#isOpen = true;
  }

  /** Refuses further calls, and waits for the current ones. */
  async refuse(): Promise<void> {
    this.#isOpen = false;
    await Promise.allSettled(this.#calls);
  }

  async run<Result>(operation: () => Promise<Result>): Promise<Result> {
    if (!this.#isOpen) {
      const message = 'The store must be open, got a call before open() or after close().';
      throw new StoreError('store_closed', message);
    }
    const call = operation();
    this.#calls.add(call);
    try {
      return await call;
    } catch (cause) {
      throw cause instanceof TypeError ? cause : unavailable(cause);
    } finally {
      this.#calls.delete(call);
    }
  }
}
