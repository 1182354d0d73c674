import type { Clock } from '../../clock.ts';
import { StoreError } from '../store-error.ts';
import { isLocked } from './driver.ts';
import type { Database } from './driver.ts';

const MAX_OPERATIONS = 512;
const RETRY_MILLISECONDS = 1;
const MAX_LOCK_MILLISECONDS = 5_000;

interface Operation {
  readonly isSynced: boolean;
  run(): void;
  resolve(): void;
  reject(error: StoreError): void;
}

/**
 * Runs operations of many callers in one transaction, in the order of the calls.
 *
 * While another process locks the file, this one tries again each millisecond. The waiting of SQLite
 * itself would block the whole process, and its pauses grow so long that a busy neighbour starves it.
 */
export class GroupCommit {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #begin: Begin;
  #waiting: Operation[] = [];
  #isScheduled = false;
  #lockedSince: number | null = null;
  #drainCallbacks: (() => void)[] = [];

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#begin = beginTransaction(database);
  }

  /**
   * Resolves once the transaction survives the end of the process; with `isSynced`, once it survives
   * the end of the machine.
   */
  commit<Result>(operation: () => Result, { isSynced }: { isSynced: boolean }): Promise<Result> {
    return new Promise((resolve, reject) => {
      let finish: (() => void) | undefined;
      this.#waiting.push({
        isSynced,
        run() {
          const result = operation();
          finish = () => resolve(result);
        },
        resolve: () => finish?.(),
        reject,
      });
      this.#schedule();
    });
  }

  /** Resolves once no operation waits. */
  async drain(): Promise<void> {
    if (this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => {
      this.#drainCallbacks.push(resolve);
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    const batch = this.#waiting.slice(0, MAX_OPERATIONS);
    if (!this.#commitNow(batch)) {
      this.#clock.setTimeout(this.#flush, RETRY_MILLISECONDS);
      return;
    }
    this.#waiting = this.#waiting.slice(batch.length);
    this.#isScheduled = false;
    if (this.#waiting.length > 0) this.#schedule();
    else for (const resolve of this.#drainCallbacks.splice(0)) resolve();
  };

  /** Returns false while the file is locked: the batch must be committed again later. */
  #commitNow(batch: readonly Operation[]): boolean {
    try {
      this.#begin(batch);
    } catch (cause) {
      this.#lockedSince ??= this.#clock.now();
      const isInTime = this.#clock.now() - this.#lockedSince < MAX_LOCK_MILLISECONDS;
      if (isLocked(cause) && isInTime) return false;
      rejectAll(batch, cause);
      this.#lockedSince = null;
      return true;
    }
    this.#lockedSince = null;
    commitBegun(this.#database, batch, this.#begin);
    return true;
  }
}

type Begin = (batch: readonly Operation[]) => void;

/** Syncs a transaction when one of its operations requires it. That also syncs all earlier ones. */
function beginTransaction(database: Database): Begin {
  let current: 'FULL' | 'NORMAL' | null = null;
  return (batch) => {
    const needed = batch.some(({ isSynced }) => isSynced) ? 'FULL' : 'NORMAL';
    if (needed !== current) database.exec(`PRAGMA synchronous = ${needed}`);
    current = needed;
    database.exec('BEGIN IMMEDIATE');
  };
}

/** Commits a batch. When one operation of several fails, each is tried alone, so that only it fails. */
function commitBegun(database: Database, batch: readonly Operation[], begin: Begin): void {
  let hasFailedInside = true;
  try {
    for (const operation of batch) operation.run();
    hasFailedInside = false;
    database.exec('COMMIT');
  } catch (cause) {
    rollBack(database);
    if (hasFailedInside && batch.length > 1) {
      for (const operation of batch) commitAlone(database, operation, begin);
    } else {
      rejectAll(batch, cause);
    }
    return;
  }
  for (const operation of batch) operation.resolve();
}

function commitAlone(database: Database, operation: Operation, begin: Begin): void {
  try {
    begin([operation]);
  } catch (cause) {
    rejectAll([operation], cause);
    return;
  }
  commitBegun(database, [operation], begin);
}

function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // SQLite has already rolled back, for instance because the disk is full.
  }
}

function rejectAll(batch: readonly Operation[], cause: unknown): void {
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `The SQLite file must be writable, got: ${why}. Check disk space and permissions.`;
  const error = new StoreError('store_unavailable', message, { cause });
  for (const operation of batch) operation.reject(error);
}
