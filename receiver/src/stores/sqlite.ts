import { realClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { acceptEvent } from './sqlite/accept-event.ts';
import { loadDriver } from './sqlite/driver.ts';
import type { Database } from './sqlite/driver.ts';
import { groupCommit } from './sqlite/group-commit.ts';
import { sqliteLeases } from './sqlite/leases.ts';
import { openDatabase } from './sqlite/open-database.ts';
import { sqliteOutcomes } from './sqlite/outcomes.ts';
import { purgeSome } from './sqlite/purge.ts';
import { deadLetter } from './sqlite/rows.ts';
import { StoreError } from './store-error.ts';
import type { Lease, Store } from './store.ts';

export interface SqliteStoreOptions {
  /** Path of the database file; its folder must exist. Beside it SQLite keeps `-wal` and `-shm`. */
  readonly file: string;
  /** Waits while another process holds the file. Default: the machine's clock. */
  readonly clock?: Clock;
}

/**
 * Keeps events in one SQLite file, safe for several processes of one machine. An event that was
 * accepted is on the disk: it survives the end of the process and of the machine at any moment. What came
 * of it survives the end of the process; after that of the machine, what was handled last may be handled
 * again. The file must not lie on a network drive.
 *
 * @throws {TypeError} When `file` is not a path.
 */
export function sqliteStore(options: SqliteStoreOptions): Store {
  const { file, clock = realClock() } = options;
  if (typeof file !== 'string' || file === '' || file === ':memory:') {
    throw new TypeError(
      `file must be the path of a database file, not ${JSON.stringify(file)}; ` +
        'to keep events in memory use memoryStore()',
    );
  }
  let connection: Connection | null = null;
  const opened = (): Connection => {
    if (connection !== null) return connection;
    throw new StoreError(
      'store_closed',
      `The SQLite store ${file} is not open: call open() first.`,
    );
  };
  const write = async <Result>(
    operation: (open: Connection) => Result,
    isSynced = false,
  ): Promise<Result> => {
    const current = opened();
    return current.group.commit(() => operation(current), { isSynced });
  };
  const whileHeld = (lease: Lease, operation: (open: Connection) => boolean): Promise<boolean> =>
    write((open) => open.leases.isHeld(lease) && operation(open));

  return {
    async open() {
      connection ??= connect(await openDatabase(await loadDriver(), file, clock), clock);
    },
    accept: (event) => write((open) => open.accept(event), true),
    lease: (request) => write((open) => open.leases.take(request)),
    renew: (lease, until) => write((open) => open.leases.renew(lease, until)),
    place: (lease, id, runId, edge) =>
      whileHeld(
        lease,
        (open) => open.outcomes.place(id, runId, edge) && open.leases.release(lease),
      ),
    start: (lease, id) => whileHeld(lease, (open) => open.outcomes.start(id)),
    settle: (lease, id, { runSettled }) =>
      whileHeld(lease, (open) => open.outcomes.settle(id, runSettled)),
    recordFailure: (lease, id, { dueAt, error }) =>
      whileHeld(lease, (open) => open.outcomes.fail(id, dueAt, error)),
    deadLetter: (lease, id, { reason, error }) =>
      whileHeld(lease, (open) => open.outcomes.bury(id, reason, error)),
    release: (lease, wait) =>
      whileHeld(lease, (open) => {
        for (const id of wait?.ids ?? []) open.outcomes.defer(id, wait?.dueAt ?? 0);
        return open.leases.release(lease);
      }),
    async nextDue(now) {
      const { next } = opened().nextDue.get(now, now) ?? {};
      return typeof next === 'number' ? next : null;
    },
    async deadLetters() {
      return opened().dead.all().map(deadLetter);
    },
    redrive: (id, now) => write((open) => open.outcomes.reopen(id, now), true),
    async purge(before) {
      let count = 0;
      for (;;) {
        const forgotten = await write((open) => open.purgeSome(before));
        if (forgotten === 0) return count;
        count += forgotten;
      }
    },
    async close() {
      const current = connection;
      connection = null;
      await current?.group.drain();
      current?.database.close();
    },
  };
}

type Connection = ReturnType<typeof connect>;

function connect(database: Database, clock: Clock) {
  return {
    database,
    group: groupCommit(database, clock),
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
