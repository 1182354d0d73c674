import type { Finished, Lease, Next, Outcome, StoreTransaction } from '../store.ts';
import type { Driver, Session, TxResult, TxValue } from './driver.ts';
import { isAboutStatement, unavailable } from './failures.ts';
import type { Leases } from './leases.ts';

/**
 * The transaction in which handlers write their effects, as `context.tx`. It starts with its first
 * use and is committed together with the result of the event.
 */
export interface PostgresTransaction<Client = unknown> {
  /** Executes a statement with `$1`, `$2`, … for its values. */
  query(text: string, values?: readonly TxValue[]): Promise<TxResult>;
  /**
   * Returns the connection that the transaction is on, for a query builder. Do not commit, roll
   * back or release it.
   */
  client(): Promise<Client>;
}

/** A transaction on a connection of its own, which it takes at its first use. */
export class LazyTransaction<Client> implements StoreTransaction<PostgresTransaction<Client>> {
  readonly #driver: Driver<Client>;
  readonly #leases: Leases;
  #begun: Promise<Session<Client>> | null = null;
  #isEnded = false;
  #running = 0;

  readonly tx: PostgresTransaction<Client> = {
    query: async (text, values = []) => {
      const session = await this.#session();
      this.#running += 1;
      try {
        return await session.queryForHandler(text, values);
      } finally {
        this.#running -= 1;
      }
    },
    client: async () => (await this.#session()).client,
  };

  constructor(driver: Driver<Client>, leases: Leases) {
    this.#driver = driver;
    this.#leases = leases;
  }

  isUsed(): boolean {
    return this.#begun !== null;
  }

  /**
   * Rejects with the database's own error when a statement of the user made the commit impossible.
   */
  async finish(lease: Lease, outcomes: readonly Outcome[], next: Next): Promise<Finished> {
    if (this.#begun === null) return this.#leases.finish(lease, outcomes, next);
    const session = await this.#begun;
    this.#isEnded = true;
    let finished: Finished | null = null;
    try {
      finished = await this.#leases.finishIn(session.query, lease, outcomes, next);
      await session.query(finished.isHeld ? 'COMMIT' : 'ROLLBACK', []);
      session.release(false);
      return finished;
    } catch (error) {
      // Closing the connection rolls back.
      session.release(true);
      throw isAboutStatement(error) ? error : unavailable(error);
    }
  }

  async rollback(): Promise<void> {
    if (this.#begun === null || this.#isEnded) return;
    this.#isEnded = true;
    // A connection that did not come has nothing to roll back.
    const session = await this.#begun.catch(() => null);
    if (session === null) return;
    // A statement of a handler that timed out still runs. Closing the connection does not wait for
    // it.
    if (this.#running > 0) return session.release(true);
    try {
      await session.query('ROLLBACK', []);
      session.release(false);
    } catch {
      session.release(true);
    }
  }

  #session(): Promise<Session<Client>> {
    if (this.#isEnded) {
      const message =
        'context.tx must be used before its handler has ended, got a later use. Await every query.';
      return Promise.reject(new TypeError(message));
    }
    this.#begun ??= this.#begin();
    return this.#begun;
  }

  async #begin(): Promise<Session<Client>> {
    try {
      const session = await this.#driver.connect();
      try {
        await session.query('BEGIN', []);
        return session;
      } catch (error) {
        session.release(true);
        throw error;
      }
    } catch (error) {
      throw unavailable(error);
    }
  }
}
