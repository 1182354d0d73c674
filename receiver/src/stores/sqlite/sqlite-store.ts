import { knownOptions } from '../../argument-checks.ts';
import { realClock } from '../../clock.ts';
import { inParts } from '../in-parts.ts';
import { cursorNumber } from '../page.ts';
import { StoreError } from '../store-error.ts';
import type {
  AcceptOutcome,
  DeadLetterFilter,
  DeadLetterPage,
  EventArrival,
  IncomingEvent,
  Lease,
  Next,
  OpenEventPage,
  PageRequest,
  RunPage,
  Outcome,
  ReplayFilter,
  Store,
  StoreHost,
  TakeRequest,
} from '../store.ts';
import { Connection } from './connection.ts';
import type { Command, CommandName, Signatures } from './messages.ts';

export interface SqliteStoreOptions {
  /** Path of the database file; its folder must exist. SQLite keeps `-wal` and `-shm` files beside it. */
  readonly file: string;
}

const MIN_REOPEN_MILLISECONDS = 1_000;

/**
 * Creates a store that keeps events in one SQLite file, for any number of processes of one machine.
 * SQLite runs in a thread of its own, so a slow disk does not stop your app.
 *
 * **What is kept.** An accepted event is synced to the disk: it survives the end of the process and of
 * the machine at any moment. The result of handling is written without a sync: it survives the end of
 * the process, and after a power failure the last few events may be handled again. Put the file on a
 * local disk, not on a network drive.
 *
 * **What is erased.** The body of a settled or discarded event is deleted with the outcome, or when the time that
 * `keepBodiesDays` gives it is over. Copies in
 * free pages and in the log are erased as soon as nothing is written for a quarter of a second, and
 * by `close()`. Dead letters keep their bodies. What is remembered of an event takes about 250 bytes
 * until `purge` forgets it.
 *
 * **Backup.** While the store is open, the data is in three files: `events.db`, `events.db-wal` and
 * `events.db-shm`. Copy them with `sqlite3 events.db ".backup copy.db"` or `VACUUM INTO`, or copy the
 * file alone after `close()`. The log (`-wal`) takes up to about 32 MB.
 *
 * **Failures.** Operations reject with a `StoreError`. `store_unavailable`: the disk is full, the file is
 * damaged, removed or locked for five seconds; the store tries again with the next call.
 * `store_schema_mismatch` when opening: another version of this package or another program wrote the file.
 * `store_driver_missing` when opening: Node.js before 22.13 has no SQLite; install `@photostructure/sqlite@1`.
 *
 * Requirements: `receiver.duplicate.single-effect`.
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

  readonly open = async ({ clock }: StoreHost): Promise<void> => {
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

  readonly accept = (event: IncomingEvent): Promise<AcceptOutcome> => {
    // A view of a larger buffer would be sent with all of it.
    const kept = { ...event, body: Uint8Array.from(event.body) };
    return this.#call({ name: 'accept', args: [kept] });
  };

  readonly take = (request: TakeRequest) => this.#call({ name: 'take', args: [request] });

  readonly bodies = (lease: Lease, ids: readonly string[]) =>
    this.#call({ name: 'bodies', args: [lease, ids] });

  readonly news = (lease: Lease, afterPosition: number) =>
    this.#call({ name: 'news', args: [lease, afterPosition] });

  readonly renew = (lease: Lease, leaseFor: number) =>
    this.#call({ name: 'renew', args: [lease, leaseFor] });

  readonly begin = (lease: Lease, id: string) => this.#call({ name: 'begin', args: [lease, id] });

  readonly waiting = (lease: Lease, afterPlace: string) =>
    this.#call({ name: 'waiting', args: [lease, afterPlace] });

  readonly near = (lease: Lease, place: string, limit: number) =>
    this.#call({ name: 'near', args: [lease, place, limit] });

  readonly keepArrivals = (lease: Lease, arrivals: readonly EventArrival[]) =>
    this.#call({ name: 'keepArrivals', args: [lease, arrivals] });

  readonly finish = (
    lease: Lease,
    outcomes: readonly Outcome[],
    next: Next,
    order: string | null = null,
  ) => this.#call({ name: 'finish', args: [lease, outcomes, next, order] });

  readonly nextDueIn = (request: Pick<TakeRequest, 'holder' | 'inHand'>) =>
    this.#call({ name: 'nextDueIn', args: [request] });

  readonly stats = () => this.#call({ name: 'stats', args: [] });

  readonly inspect = (id: string) => this.#call({ name: 'inspect', args: [id] });

  readonly history = (runId: string) => this.#call({ name: 'history', args: [runId] });

  readonly openEvents = async (page: PageRequest, runId?: string): Promise<OpenEventPage> => {
    const after = cursorNumber(page.after) ?? 0;
    return this.#call({ name: 'openEvents', args: [{ after, limit: page.limit }, runId ?? null] });
  };

  readonly pause = async (name: string): Promise<void> => {
    await this.#call({ name: 'pause', args: [name] });
  };

  readonly resume = async (name: string): Promise<void> => {
    let hasMore = await this.#call({ name: 'resume', args: [name] });
    while (hasMore) hasMore = await this.#call({ name: 'makeSomeDue', args: [] });
  };

  readonly paused = () => this.#call({ name: 'paused', args: [] });

  readonly deadLetters = async (
    { after, limit }: PageRequest,
    filter: DeadLetterFilter = {},
  ): Promise<DeadLetterPage> =>
    this.#call({ name: 'deadLetters', args: [{ after: cursorNumber(after) ?? 0, limit }, filter] });

  readonly runs = async (
    { after, limit }: PageRequest,
    automationId?: string,
  ): Promise<RunPage> => {
    const before = cursorNumber(after) ?? Number.MAX_SAFE_INTEGER;
    return this.#call({ name: 'runs', args: [{ before, limit }, automationId ?? null] });
  };

  readonly body = (id: string) => this.#call({ name: 'body', args: [id] });

  readonly redrive = (filter: DeadLetterFilter): Promise<number> =>
    inParts(0, (after) => this.#call({ name: 'redriveSome', args: [filter, after] }));

  readonly replay = (
    filter: ReplayFilter,
    { dryRun }: { readonly dryRun: boolean },
  ): Promise<number> =>
    inParts(0, (after) => this.#call({ name: 'replaySome', args: [filter, dryRun, after] }));

  readonly discard = (filter: DeadLetterFilter): Promise<number> =>
    inParts(0, (after) => this.#call({ name: 'discardSome', args: [filter, after] }));

  readonly countDead = (filter: DeadLetterFilter) =>
    this.#call({ name: 'countDead', args: [filter] });

  readonly now = async (): Promise<number> => this.#clock.now();

  readonly purgeBodies = async (): Promise<void> => {
    let count;
    do count = await this.#call({ name: 'purgeBodies', args: [] });
    while (count > 0);
  };

  readonly purge = async (olderThan: number): Promise<number> => {
    let count = 0;
    for (;;) {
      const purged = await this.#call({ name: 'purgeSome', args: [olderThan] });
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

  async #call<Name extends CommandName>(
    command: Command & { readonly name: Name },
  ): Promise<Signatures[Name][1]> {
    const connection = this.#connection;
    if (connection?.isOpen === true) return connection.call<Name>(command);
    return (await this.#reconnected()).call<Name>(command);
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
