import { realClock } from '../../clock.ts';
import type { Clock } from '../../clock.ts';
import type { RunEdge } from '../../order/run-edge.ts';
import { StoreError } from '../store-error.ts';
import type {
  AcceptOutcome,
  DeadLetter,
  DeadLetterReason,
  IncomingEvent,
  Lease,
  LeasedWork,
  Store,
} from '../store.ts';
import { loadDriver } from './driver.ts';
import type { Database } from './driver.ts';
import { acceptEvent, purgeSome, sqliteOutcomes } from './events.ts';
import { GroupCommit } from './group-commit.ts';
import { sqliteLeases } from './leases.ts';
import { openDatabase } from './open-database.ts';
import { deadLetter } from './rows.ts';

export interface SqliteStoreOptions {
  /** Path of the database file; its folder must exist. SQLite keeps `-wal` and `-shm` files beside it. */
  readonly file: string;
  /** Used to wait while another process locks the file. Default: the clock of the machine. */
  readonly clock?: Clock;
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
export function sqliteStore(options: SqliteStoreOptions): Store {
  const { file, clock = realClock() } = options;
  if (typeof file !== 'string' || file === '' || file === ':memory:') {
    throw new TypeError(
      `file must be the path of a database file, got ${JSON.stringify(file)}. ` +
        'To keep events in memory use memoryStore().',
    );
  }
  return new SqliteStore(file, clock);
}

/** Its operations are own properties, so that `{ ...store, accept }` replaces one of them. */
class SqliteStore implements Store {
  readonly #file: string;
  readonly #clock: Clock;
  #connection: Connection | null = null;

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  readonly open = async (): Promise<void> => {
    this.#connection ??= connect(
      await openDatabase(await loadDriver(), this.#file, this.#clock),
      this.#clock,
    );
  };

  readonly accept = (event: IncomingEvent): Promise<AcceptOutcome> =>
    this.#write((open) => open.accept(event), true);

  readonly lease = (request: {
    now: number;
    until: number;
    limit: number;
  }): Promise<readonly LeasedWork[]> => this.#write((open) => open.leases.take(request));

  readonly renew = (lease: Lease, until: number): Promise<boolean> =>
    this.#write((open) => open.leases.renew(lease, until));

  readonly place = (lease: Lease, id: string, runId: string, edge: RunEdge): Promise<boolean> =>
    this.#whileHeld(
      lease,
      (open) => open.outcomes.place(id, runId, edge) && open.leases.release(lease),
    );

  readonly start = (lease: Lease, id: string): Promise<boolean> =>
    this.#whileHeld(lease, (open) => open.outcomes.start(id));

  readonly settle = (
    lease: Lease,
    id: string,
    { runSettled }: { runSettled: boolean },
  ): Promise<boolean> => this.#whileHeld(lease, (open) => open.outcomes.settle(id, runSettled));

  readonly recordFailure = (
    lease: Lease,
    id: string,
    { dueAt, error }: { dueAt: number; error: string },
  ): Promise<boolean> => this.#whileHeld(lease, (open) => open.outcomes.fail(id, dueAt, error));

  readonly deadLetter = (
    lease: Lease,
    id: string,
    { reason, error }: { reason: DeadLetterReason; error: string },
  ): Promise<boolean> =>
    this.#whileHeld(lease, (open) => open.outcomes.setAside(id, reason, error));

  readonly release = (
    lease: Lease,
    wait?: { ids: readonly string[]; dueAt: number },
  ): Promise<boolean> =>
    this.#whileHeld(lease, (open) => {
      for (const id of wait?.ids ?? []) open.outcomes.defer(id, wait?.dueAt ?? 0);
      return open.leases.release(lease);
    });

  readonly nextDue = async (now: number): Promise<number | null> => {
    const { next } = this.#opened().nextDue.get(now, now) ?? {};
    return typeof next === 'number' ? next : null;
  };

  readonly deadLetters = async (): Promise<readonly DeadLetter[]> =>
    this.#opened().dead.all().map(deadLetter);

  readonly redrive = (id: string, now: number): Promise<boolean> =>
    this.#write((open) => open.outcomes.reopen(id, now), true);

  readonly purge = async (before: number): Promise<number> => {
    let count = 0;
    for (;;) {
      const purged = await this.#write((open) => open.purgeSome(before));
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

  async #write<Result>(operation: (open: Connection) => Result, isSynced = false): Promise<Result> {
    const current = this.#opened();
    return current.group.commit(() => operation(current), { isSynced });
  }

  #whileHeld(lease: Lease, operation: (open: Connection) => boolean): Promise<boolean> {
    return this.#write((open) => open.leases.isHeld(lease) && operation(open));
  }
}

type Connection = ReturnType<typeof connect>;

function connect(database: Database, clock: Clock) {
  return {
    database,
    group: new GroupCommit(database, clock),
    accept: acceptEvent(database),
    leases: sqliteLeases(database),
    outcomes: sqliteOutcomes(database),
    purgeSome: purgeSome(database),
    nextDue: database.prepare(
      `SELECT min(at) AS next FROM (
         SELECT min(due_at) AS at FROM hookproof_events WHERE state = 'open' AND due_at > ?
         UNION ALL SELECT min(until) FROM hookproof_leases WHERE until > ?)`,
    ),
    dead: database.prepare("SELECT * FROM hookproof_events WHERE state = 'dead' ORDER BY seq"),
  };
}
