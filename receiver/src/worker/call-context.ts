import { StoreError } from '../stores/store-error.ts';
import type { Lease, Outcome, Store, StoreTransaction } from '../stores/store.ts';
import type { EventContext, ExecuteStatement } from './event-context.ts';
import type { PendingEvent } from './leased-events.ts';

/** The parts of a context that concern the store, for all handlers of one event. */
export class Settlement<Tx> {
  readonly #store: Store<Tx>;
  readonly #lease: Lease;
  readonly #event: PendingEvent;
  readonly #handled: Outcome & { readonly as: 'handled' };
  readonly #transaction: StoreTransaction<Tx> | undefined;
  #isExecuted = false;

  constructor(
    store: Store<Tx>,
    lease: Lease,
    event: PendingEvent,
    handled: Outcome & { readonly as: 'handled' },
  ) {
    this.#store = store;
    this.#lease = lease;
    this.#event = event;
    this.#handled = handled;
    this.#transaction = store.transaction?.();
  }

  /** True after `settleWith()` has settled the event in a transaction of the user. */
  get isExecuted(): boolean {
    return this.#isExecuted;
  }

  /** The transaction if a handler has used it. */
  get transaction(): StoreTransaction<Tx> | null {
    return this.#transaction?.isUsed() === true ? this.#transaction : null;
  }

  /** Returns the context for one of the handlers. */
  contextFor(signal: AbortSignal, isLastHandler: boolean): EventContext<Tx> {
    const transaction = this.#transaction;
    const { attempts, isReplay } = this.#event;
    return {
      attempt: attempts + 1,
      isReplay,
      signal,
      get tx(): Tx {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only a store without transactions has none, and its `Tx` is `undefined`
        return transaction?.tx as Tx;
      },
      settleWith: async (execute) => {
        if (!isLastHandler) {
          throw new TypeError(
            'settleWith() must be called in the last handler of an event, but another one follows. ' +
              'Move it there: the order is event, type, status, settled.',
          );
        }
        await this.#settleWith(execute);
      },
    };
  }

  async #settleWith(execute: ExecuteStatement): Promise<void> {
    const statements = this.#store.settlement?.(this.#lease, this.#handled);
    if (statements === undefined) {
      throw new TypeError('settleWith() must have a store in your database, got another store.');
    }
    let rows = 0;
    for (const { text, values } of statements) rows = rowCount(await execute(text, values));
    if (rows === 0) {
      throw new StoreError(
        'lease_lost',
        `Event ${this.#event.id} must be held to be settled, but another process has it.`,
      );
    }
    this.#isExecuted = true;
  }
}

/**
 * Reads the number of rows from the result of any client: a number, rows, `rowCount` or `count`.
 */
function rowCount(result: unknown): number {
  if (typeof result === 'number') return result;
  if (Array.isArray(result)) return result.length;
  if (typeof result === 'object' && result !== null) {
    if ('rowCount' in result && typeof result.rowCount === 'number') return result.rowCount;
    if ('rows' in result && Array.isArray(result.rows)) return result.rows.length;
    if ('count' in result && typeof result.count === 'number') return result.count;
  }
  throw new TypeError(
    `execute must return rows or their number, got ${result === null ? 'null' : typeof result}. ` +
      'Return what your database client returns.',
  );
}
