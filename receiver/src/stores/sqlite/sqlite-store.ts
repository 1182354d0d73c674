import { knownOptions } from '../../argument-checks.ts';
import { realClock } from '../../clock.ts';
import { cursorNumber } from '../page.ts';
import { StoreError } from '../store-error.ts';
import type { Store } from '../store.ts';
import { Connection } from './connection.ts';
import type { Arguments, OperationName, Result } from './operations.ts';

export interface SqliteStoreOptions {
  /**
   * Path of the database file; its folder must exist. SQLite keeps `-wal` and `-shm` files beside
   * it.
   */
  readonly file: string;
}

const MIN_REOPEN_MILLISECONDS = 1_000;

// Requirements: receiver.duplicate.single-effect.
/**
 * Creates a store that keeps events in one SQLite file, for any number of processes of one machine.
 * SQLite runs in a thread of its own, so a slow disk does not stop your app.
 *
 * **What is kept.** An accepted event is synced to the disk: it survives the end of the process and
 * of the machine at any moment. The result of handling is written without a sync: it survives the
 * end of the process, and after a power failure the last few events may be handled again. Put the
 * file on a local disk, not on a network drive.
 *
 * **What is erased.** The body of a handled or discarded event is deleted with the outcome, or when
 * the time that `keepBodiesDays` gives it is over. Copies in free pages and in the log are erased
 * as soon as nothing is written for a quarter of a second, and by `close()`. Dead letters keep
 * their bodies. What is remembered of an event takes about 400 bytes until `retentionDays` are
 * over.
 *
 * **Backup.** While the store is open, the data is in three files: `events.db`, `events.db-wal` and
 * `events.db-shm`. Copy them with `sqlite3 events.db ".backup copy.db"` or `VACUUM INTO`, or copy
 * the file alone after `close()`. The log (`-wal`) takes up to about 32 MB.
 *
 * **Failures.** Operations reject with a `StoreError`. `store_unavailable`: the disk is full, the
 * file is damaged, removed or locked for five seconds; the store tries again with the next call.
 * `store_schema_mismatch` when opening: a newer release of this package or another program wrote
 * the file. `store_driver_missing` when opening: Node.js before 22.13 has no SQLite; install
 * `@photostructure/sqlite@1`.
 *
 * @throws {TypeError} When `file` is not a path.
 * @example
 * ```ts
 * import { createReceiver } from '@hookproof/receiver';
 * import { sqliteStore } from '@hookproof/receiver/sqlite';
 *
 * export const receiver = createReceiver({
 *   secrets: process.env['WEBHOOK_SECRET'] ?? '',
 *   store: sqliteStore({ file: '/var/lib/app/events.db' }),
 *   handlers: { event: ({ id, type }) => console.log(id, type) },
 * });
 * ```
 */
export function sqliteStore(options: SqliteStoreOptions): Store<undefined> {
  knownOptions(options, ['file']);
  const { file } = options;
  if (typeof file !== 'string' || file === '' || file === ':memory:') {
    throw new TypeError(
      `file must be the path of a database file, such as 'events.db', got ${JSON.stringify(file)}. ` +
        'To keep events in memory use memoryStore().',
    );
  }
  const [scheme] = /^(?:sqlite|file):/.exec(file) ?? [];
  if (scheme !== undefined) {
    throw new TypeError(
      `file must be the path of a database file, such as 'events.db', got ${JSON.stringify(file)}. ` +
        `Leave ${scheme} out; only the command line takes it.`,
    );
  }
  return new SqliteStore(file);
}

/** Its operations are own properties, so that `{ ...store, accept }` replaces one of them. */
class SqliteStore implements Store<undefined> {
  readonly #file: string;
  #clock = realClock();
  #isOpen = false;
  #connection: Connection | null = null;
  #opening: Promise<Connection> | null = null;
  #failure: { readonly error: unknown; readonly at: number } | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  readonly open: Store['open'] = async ({ clock }) => {
    if (this.#isOpen) {
      await this.#opening;
      return;
    }
    this.#clock = clock;
    this.#isOpen = true;
    try {
      await this.#connect();
    } catch (error) {
      this.#isOpen = false;
      throw error;
    }
  };

  readonly accept: Store['accept'] = (event) =>
    // A view of a larger buffer would be sent with all of it.
    this.#call('accept', { ...event, body: Uint8Array.from(event.body) });

  readonly take: Store['take'] = (request) => this.#call('take', request);
  readonly events: Store['events'] = (...args) => this.#call('events', ...args);
  readonly renew: Store['renew'] = (...args) => this.#call('renew', ...args);
  readonly begin: Store['begin'] = (...args) => this.#call('begin', ...args);
  readonly finish: Store['finish'] = (...args) => this.#call('finish', ...args);
  readonly stats: Store['stats'] = () => this.#call('stats');
  readonly byHour: Store['byHour'] = () => this.#call('byHour');
  readonly list: Store['list'] = async (filter, page) => {
    cursorNumber(page.after);
    return this.#call('list', filter, page);
  };

  readonly keys: Store['keys'] = async (source, owner, page) => {
    cursorNumber(page.after);
    return this.#call('keys', source, owner, page);
  };

  readonly body: Store['body'] = (...args) => this.#call('body', ...args);
  readonly paused: Store['paused'] = () => this.#call('paused');

  readonly change: Store['change'] = async (what, filter, { dryRun }) => {
    if (dryRun) return this.#call('count', what, filter);
    let count = 0;
    for (let after: number | null = 0; after !== null;) {
      const part: Result<'changeSome'> = await this.#call('changeSome', what, filter, after);
      count += part.count;
      after = part.last;
    }
    return count;
  };

  readonly setPaused: Store['setPaused'] = async (name, isPaused) => {
    let hasMore = await this.#call('setPaused', name, isPaused);
    while (hasMore) hasMore = await this.#call('makeSomeDue');
  };

  readonly purge: Store['purge'] = async (olderThan) => {
    while (await this.#call('purgeSomeBodies')) continue;
    let count = 0;
    for (;;) {
      const purged = await this.#call('purgeSome', olderThan);
      if (purged === 0) return count;
      count += purged;
    }
  };

  readonly close = async (): Promise<void> => {
    this.#isOpen = false;
    const connection = this.#connection ?? (await this.#opening?.catch(() => null));
    this.#connection = null;
    this.#failure = null;
    await connection?.close();
  };

  async #call<Name extends OperationName>(
    name: Name,
    ...args: Arguments<Name>
  ): Promise<Result<Name>> {
    const connection = this.#connection;
    if (connection?.isOpen === true) return connection.call(name, args);
    return (await this.#reconnected()).call(name, args);
  }

  /** Starts another thread after one has ended, at most once a second. */
  async #reconnected(): Promise<Connection> {
    if (!this.#isOpen) {
      throw new StoreError(
        'store_closed',
        `SQLite store ${this.#file} must be open, got a call before open() or after close().`,
      );
    }
    const now = this.#clock.monotonic();
    if (this.#failure !== null && now - this.#failure.at < MIN_REOPEN_MILLISECONDS) {
      throw this.#failure.error;
    }
    try {
      return await this.#connect();
    } catch (error) {
      this.#failure = { error, at: now };
      throw error;
    }
  }

  /** Several callers share one attempt. */
  async #connect(): Promise<Connection> {
    this.#opening ??= Connection.open(this.#file, this.#clock);
    try {
      this.#connection = await this.#opening;
      return this.#connection;
    } finally {
      this.#opening = null;
    }
  }
}
