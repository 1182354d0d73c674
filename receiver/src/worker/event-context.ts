/**
 * Runs one statement in a transaction of yours, with the values of its `$1`, `$2`, … in order, each
 * of which occurs once. Return what your database client returns.
 */
export type ExecuteStatement = (
  text: string,
  values: readonly (string | number | boolean | Uint8Array | null)[],
) => Promise<unknown>;

/** What every handler gets beside the event. */
export interface EventContext<Tx = unknown> {
  /** 1 for the first attempt, one more after each failure. */
  readonly attempt: number;
  /**
   * True when the event was handled before, and `replay()` hands it to you again. Its id is the
   * same. Skip what must not happen twice, such as a mail.
   */
  readonly isReplay: boolean;
  /**
   * Aborts at the deadline of the handler (`handlerTimeoutMilliseconds`), and when another process
   * may have the event. Pass it to `fetch` and to your database. After it aborts, the event counts
   * as failed and is handled again, also if your code still runs.
   */
  readonly signal: AbortSignal;
  /**
   * The transaction in which this event is settled. What you write in it happens exactly once: it
   * is committed together with the fact that the event was handled, and rolled back when a handler
   * throws. It begins with its first use. Only stores in a database have it: with `postgresStore`
   * it is a `PostgresTransaction`, with others `undefined`.
   */
  readonly tx: Tx;
  /**
   * Settles the event in a transaction of yours, for Prisma, Drizzle, Knex and other clients of the
   * same database. Call it once, in the last handler of the event, before you commit. It rejects
   * when another process has the event: let your transaction roll back then.
   *
   * @throws {StoreError} `lease_lost` when another process has the event.
   * @throws {TypeError} When the store has no such statements, when another handler follows, or
   *   when `execute` does not return the number of rows.
   */
  readonly settleWith: (execute: ExecuteStatement) => Promise<void>;
}
