import { StoreError } from '../store-error.ts';
import type { Store } from '../store.ts';
import { acceptingEvents } from './accept-events.ts';
import { checkDatabase } from './check-database.ts';
import type { Driver } from './driver.ts';
import { unavailable, withRetries } from './failures.ts';
import { Keeping } from './keeping.ts';
import { Leases } from './leases.ts';
import { createTables } from './tables.ts';
import { LazyTransaction } from './transaction.ts';
import type { PostgresTransaction } from './transaction.ts';

export interface Settings {
  readonly schema: string;
  readonly createTables: boolean;
}

/** Builds the store from its parts. Its operations are own properties, so that `{ ...store, accept }` works. */
export function openableStore<Client>(
  driver: Driver<Client>,
  settings: Settings,
  maxTransactions: number | null,
): Required<Store<PostgresTransaction<Client>>> {
  const { schema } = settings;
  const query = withRetries(driver.query);
  const leases = new Leases(query, schema);
  const keeping = new Keeping(query, schema);
  const accept = acceptingEvents(query, schema);
  const calls = new CurrentCalls();

  return {
    async open() {
      try {
        await checkDatabase(query);
        await createTables(driver, settings.schema, settings.createTables);
      } catch (cause) {
        throw cause instanceof TypeError ? cause : unavailable(cause);
      }
      calls.allow();
    },
    accept: (event) => calls.run(() => accept(event)),
    take: (request) => calls.run(() => leases.take(request)),
    bodies: (lease, ids) => calls.run(() => leases.bodies(lease, ids)),
    news: (lease, afterPosition) => calls.run(() => leases.news(lease, afterPosition)),
    waiting: (lease, afterPlace) => calls.run(() => leases.waiting(lease, afterPlace)),
    near: (lease, place, limit) => calls.run(() => leases.near(lease, place, limit)),
    keepArrivals: (lease, arrivals) => calls.run(() => leases.keepArrivals(lease, arrivals)),
    renew: (lease, leaseFor) => calls.run(() => leases.renew(lease, leaseFor)),
    begin: (lease, id) => calls.run(() => leases.begin(lease, id)),
    finish: (lease, outcomes, next, order = null) =>
      calls.run(() => leases.finish(lease, outcomes, next, order)),
    nextDueIn: (request) => calls.run(() => leases.nextDueIn(request)),
    maxTransactions,
    transaction: () => new LazyTransaction(driver, leases),
    settlement: (lease, id, settled) => leases.settlement(lease, id, settled),
    stats: () => calls.run(() => keeping.stats()),
    inspect: (id) => calls.run(() => keeping.inspect(id)),
    history: (runId) => calls.run(() => keeping.history(runId)),
    openEvents: (page, runId) => calls.run(() => keeping.openEvents(page, runId)),
    pause: (name) => calls.run(() => keeping.pause(name)),
    resume: (name) => calls.run(() => keeping.resume(name)),
    paused: () => calls.run(() => keeping.paused()),
    deadLetters: (page, filter) => calls.run(() => keeping.deadLetters(page, filter)),
    runs: (page, automationId) => calls.run(() => keeping.runs(page, automationId)),
    body: (id) => calls.run(() => keeping.body(id)),
    redrive: (filter) => calls.run(() => keeping.redrive(filter)),
    replay: (filter, how) => calls.run(() => keeping.replay(filter, how)),
    discard: (filter) => calls.run(() => keeping.discard(filter)),
    countDead: (filter) => calls.run(() => keeping.countDead(filter)),
    now: () => calls.run(() => keeping.now()),
    purgeBodies: () => calls.run(() => keeping.purgeBodies()),
    purge: (olderThan) => calls.run(() => keeping.purge(olderThan)),
    close: () => calls.refuse(),
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
