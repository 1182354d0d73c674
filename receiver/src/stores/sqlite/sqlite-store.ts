import { realClock } from '../../clock.ts';
import type { Clock } from '../../clock.ts';
import { StoreError } from '../store-error.ts';
import type {
  AcceptOutcome,
  DeadLetterFilter,
  DeadLetterPage,
  Finished,
  IncomingEvent,
  KnownEvent,
  Lease,
  LeasedWork,
  Next,
  Outcome,
  Store,
  StoredEvent,
  StoreHost,
  StoreStats,
  TakeRequest,
  WorkEvents,
} from '../store.ts';
import { loadDriver } from './driver.ts';
import type { Database } from './driver.ts';
import { sqliteEvents } from './events.ts';
import { GroupCommit } from './group-commit.ts';
import { openDatabase } from './open-database.ts';
import { bytesOrNull, deadLetter, integer, knownEvent, storedEvent } from './rows.ts';
import type { Now } from './rows.ts';
import { sqliteWorks } from './works.ts';

export interface SqliteStoreOptions {
  /** Path of the database file; its folder must exist. SQLite keeps `-wal` and `-shm` files beside it. */
  readonly file: string;
}

/**
 * Creates a store that keeps events in one SQLite file, safe for several processes of one machine.
 * An accepted event is on the disk: it survives the end of the process and of the machine at any
 * moment. The result of handling survives the end of the process; after a power failure the last few
 * events may be handled again. Do not put the file on a network drive.
 *
 * On Node.js before 22.13 install `@photostructure/sqlite@1`; without it `open()` rejects with the
 * code `store_driver_missing`.
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
  const { file } = options;
  if (typeof file !== 'string' || file === '' || file === ':memory:') {
    throw new TypeError(
      `file must be the path of a database file, got ${JSON.stringify(file)}. ` +
        'To keep events in memory use memoryStore().',
    );
  }
  return new SqliteStore(file);
}

/** Its operations are own properties, so that `{ ...store, accept }` replaces one of them. */
class SqliteStore implements Store<undefined> {
  readonly #file: string;
  #clock: Clock = realClock();
  #connection: Connection | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  readonly open = async ({ clock }: StoreHost): Promise<void> => {
    this.#clock = clock;
    this.#connection ??= connect(await openDatabase(await loadDriver(), this.#file, clock), clock);
  };

  readonly accept = (event: IncomingEvent): Promise<AcceptOutcome> => {
    const copy = { ...event, body: new Uint8Array(event.body) };
    return this.#write(({ events }, now) => events.accept(copy, now), true);
  };

  readonly take = (request: TakeRequest): Promise<readonly LeasedWork[]> =>
    this.#write(({ works }, now) => works.take(request, now));

  readonly bodies = async (
    lease: Lease,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Uint8Array>> => {
    const { works, body } = this.#opened();
    const found = new Map<string, Uint8Array>();
    if (works.lastPosition(lease) === null) return found;
    for (const id of ids) {
      const bytes = bytesOrNull(body.get(id, lease.work) ?? {}, 'body');
      if (bytes !== null) found.set(id, bytes);
    }
    return found;
  };

  readonly news = (lease: Lease, afterPosition: number): Promise<WorkEvents | null> =>
    this.#write(({ works }, now) => works.news(lease, afterPosition, now));

  readonly renew = (lease: Lease, leaseFor: number): Promise<boolean> =>
    this.#write(({ works }, now) => works.renew(lease, leaseFor, now));

  readonly begin = (lease: Lease, id: string): Promise<boolean> =>
    this.#write(
      ({ works, events }) => works.lastPosition(lease) !== null && events.begin(id, lease.work),
    );

  readonly finish = (lease: Lease, outcomes: readonly Outcome[], next: Next): Promise<Finished> =>
    this.#write(({ works, events }, now) => {
      const lastPosition = works.lastPosition(lease);
      if (lastPosition === null) return { isHeld: false, lastPosition: 0 };
      for (const outcome of outcomes) events.apply(lease.work, outcome, now);
      works.end(lease, next, now);
      return { isHeld: true, lastPosition };
    });

  readonly nextDueIn = async ({
    holder,
    inHand,
  }: Pick<TakeRequest, 'holder' | 'inHand'>): Promise<number | null> => {
    const now = this.#clock.monotonic();
    const { next } = this.#opened().next.get(holder, JSON.stringify(inHand)) ?? {};
    return typeof next === 'number' ? Math.max(next - now, 0) : null;
  };

  readonly stats = async (): Promise<StoreStats> => {
    const row = this.#opened().stats.get(this.#clock.monotonic()) ?? {};
    const { oldest } = row;
    return {
      open: integer(row, 'open'),
      due: integer(row, 'due'),
      inHand: integer(row, 'in_hand'),
      dead: integer(row, 'dead'),
      settled: integer(row, 'settled'),
      oldestOpen: typeof oldest === 'number' ? Math.max(this.#clock.now() - oldest, 0) : null,
    };
  };

  readonly inspect = async (id: string): Promise<StoredEvent | null> => {
    const row = this.#opened().event.get(id);
    return row === undefined ? null : storedEvent(row);
  };

  readonly history = async (runId: string): Promise<readonly KnownEvent[]> =>
    this.#opened().history.all(`run:${runId}`).map(knownEvent);

  readonly deadLetters = async ({
    after,
    limit,
  }: {
    readonly after: string | null;
    readonly limit: number;
  }): Promise<DeadLetterPage> => {
    const rows = this.#opened().dead.all(Number(after ?? 0), limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const next = rows.length > limit && last !== undefined ? String(integer(last, 'seq')) : null;
    return { items: page.map(deadLetter), next };
  };

  readonly redrive = (filter: DeadLetterFilter): Promise<number> =>
    this.#write(({ events }, now) => events.redrive(filter, now), true);

  readonly discard = (id: string): Promise<boolean> =>
    this.#write(({ events }) => events.discard(id), true);

  readonly purge = async (olderThan: number): Promise<number> => {
    let count = 0;
    for (;;) {
      const purged = await this.#write(({ events }, now) => events.purge(now.epoch - olderThan));
      if (purged === 0) return count;
      count += purged;
    }
  };

  readonly close = async (): Promise<void> => {
    const current = this.#connection;
    this.#connection = null;
    await current?.group.drain();
    current?.database.close();
  };

  #opened(): Connection {
    if (this.#connection !== null) return this.#connection;
    throw new StoreError(
      'store_closed',
      `SQLite store ${this.#file} must be open, got a call before open() or after close().`,
    );
  }

  async #write<Result>(
    operation: (open: Connection, now: Now) => Result,
    isSynced = false,
  ): Promise<Result> {
    const current = this.#opened();
    const run = (): Result =>
      operation(current, { monotonic: this.#clock.monotonic(), epoch: this.#clock.now() });
    return current.group.commit(run, { isSynced });
  }
}

type Connection = ReturnType<typeof connect>;

const WITH_RUN = 'hookproof_accepted e JOIN hookproof_works w USING (work)';

function connect(database: Database, clock: Clock) {
  return {
    database,
    group: new GroupCommit(database, clock),
    events: sqliteEvents(database),
    works: sqliteWorks(database),
    body: database.prepare(
      "SELECT body FROM hookproof_accepted WHERE id = ? AND work = ? AND state = 'open'",
    ),
    event: database.prepare(`SELECT e.*, w.run_id FROM ${WITH_RUN} WHERE id = ?`),
    history: database.prepare('SELECT * FROM hookproof_accepted WHERE work = ? ORDER BY position'),
    dead: database.prepare(
      `SELECT e.*, w.run_id FROM ${WITH_RUN} WHERE state = 'dead' AND seq > ? ORDER BY seq LIMIT ?`,
    ),
    next: database.prepare(
      `SELECT min(at) AS next FROM (
         SELECT min(due_at) AS at FROM hookproof_works WHERE holder IS NULL
         UNION ALL SELECT min(until) FROM hookproof_works WHERE holder IS NOT NULL
           AND NOT (holder = ?1 AND work IN (SELECT value FROM json_each(?2))))`,
    ),
    stats: database.prepare(
      `SELECT count(*) FILTER (WHERE state = 'open') AS open,
         count(*) FILTER (WHERE state = 'dead') AS dead,
         count(*) FILTER (WHERE state = 'settled') AS settled,
         min(received_at) FILTER (WHERE state = 'open') AS oldest,
         (SELECT count(*) FROM hookproof_works WHERE holder IS NULL AND due_at <= ?) AS due,
         (SELECT count(*) FROM hookproof_works WHERE holder IS NOT NULL) AS in_hand
       FROM hookproof_accepted`,
    ),
  };
}
