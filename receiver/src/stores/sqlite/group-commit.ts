import type { Clock } from '../../clock.ts';
import { StoreError } from '../store-error.ts';
import type { Database } from './driver.ts';
import { isLocked } from './locked.ts';

const MOST_OPERATIONS = 512;
const RETRY_MILLISECONDS = 1;
const LONGEST_WAIT_MILLISECONDS = 5_000;

interface Operation {
  readonly isSynced: boolean;
  run(): void;
  resolve(): void;
  reject(error: StoreError): void;
}

/** Runs operations of many callers in one transaction, in the order in which they came. */
export interface GroupCommit {
  /** Resolves once the transaction survives the end of the process; with `isSynced`, that of the machine. */
  commit<Result>(operation: () => Result, options: { isSynced: boolean }): Promise<Result>;
  /** Resolves once nothing waits. */
  drain(): Promise<void>;
}

/**
 * While another process holds the file, this one looks again each millisecond: SQLite's own waiting
 * would stop the whole process, and is so slow in the end that a busy neighbour starves it.
 */
export function groupCommit(database: Database, clock: Clock): GroupCommit {
  const begin = beginTransaction(database);
  let waiting: Operation[] = [];
  let isScheduled = false;
  let lockedSince: number | null = null;
  let whenDrained: (() => void)[] = [];

  const flush = (): void => {
    const batch = waiting.slice(0, MOST_OPERATIONS);
    if (!commitNow(batch)) {
      clock.setTimeout(flush, RETRY_MILLISECONDS);
      return;
    }
    waiting = waiting.slice(batch.length);
    isScheduled = false;
    if (waiting.length > 0) schedule();
    else for (const resolve of whenDrained.splice(0)) resolve();
  };
  /** False while the file is locked: the batch has to come again. */
  const commitNow = (batch: readonly Operation[]): boolean => {
    try {
      begin(batch);
    } catch (cause) {
      lockedSince ??= clock.now();
      const isInTime = clock.now() - lockedSince < LONGEST_WAIT_MILLISECONDS;
      if (isLocked(cause) && isInTime) return false;
      rejectAll(batch, cause);
      lockedSince = null;
      return true;
    }
    lockedSince = null;
    commitBegun(database, batch, begin);
    return true;
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(flush);
  };

  return {
    commit<Result>(operation: () => Result, { isSynced }: { isSynced: boolean }): Promise<Result> {
      return new Promise((resolve, reject) => {
        let finish: (() => void) | undefined;
        waiting.push({
          isSynced,
          run() {
            const result = operation();
            finish = () => resolve(result);
          },
          resolve: () => finish?.(),
          reject,
        });
        schedule();
      });
    },
    async drain() {
      if (waiting.length === 0) return;
      await new Promise<void>((resolve) => {
        whenDrained.push(resolve);
      });
    },
  };
}

type Begin = (batch: readonly Operation[]) => void;

/** A transaction is synced when one of its operations asks for it, and with it all that came before. */
function beginTransaction(database: Database): Begin {
  let current: 'FULL' | 'NORMAL' | null = null;
  return (batch) => {
    const needed = batch.some(({ isSynced }) => isSynced) ? 'FULL' : 'NORMAL';
    if (needed !== current) database.exec(`PRAGMA synchronous = ${needed}`);
    current = needed;
    database.exec('BEGIN IMMEDIATE');
  };
}

/** When one of several operations fails, each is tried alone, so that it fails nobody else. */
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
    // SQLite has rolled back by itself, as it does when the disk is full.
  }
}

function rejectAll(batch: readonly Operation[], cause: unknown): void {
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `The SQLite file cannot be written: ${why}`;
  const error = new StoreError('store_unavailable', message, { cause });
  for (const operation of batch) operation.reject(error);
}
