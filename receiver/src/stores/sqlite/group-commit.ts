import type { Clock } from '../../clock.ts';
import { StoreError } from '../store-error.ts';
import type { Database } from './driver.ts';
import { isLocked } from './locked.ts';

const MOST_OPERATIONS = 512;
const RETRY_MILLISECONDS = 1;
const LONGEST_WAIT_MILLISECONDS = 5_000;

interface Operation {
  run(): void;
  resolve(): void;
  reject(error: StoreError): void;
}

/** Runs operations of many callers in one synced transaction, in the order in which they came. */
export interface GroupCommit {
  /** Resolves once the transaction is on the disk. */
  commit<Result>(operation: () => Result): Promise<Result>;
  /** Resolves once nothing waits. */
  drain(): Promise<void>;
}

/**
 * While another process holds the file, this one looks again each millisecond: SQLite's own waiting
 * would stop the whole process, and is so slow in the end that a busy neighbour starves it.
 */
export function groupCommit(database: Database, clock: Clock): GroupCommit {
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
      database.exec('BEGIN IMMEDIATE');
    } catch (cause) {
      lockedSince ??= clock.now();
      const isInTime = clock.now() - lockedSince < LONGEST_WAIT_MILLISECONDS;
      if (isLocked(cause) && isInTime) return false;
      rejectAll(batch, cause);
      lockedSince = null;
      return true;
    }
    lockedSince = null;
    commitBegun(database, batch);
    return true;
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(flush);
  };

  return {
    commit<Result>(operation: () => Result): Promise<Result> {
      return new Promise((resolve, reject) => {
        let finish: (() => void) | undefined;
        waiting.push({
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

/** When one of several operations fails, each is tried alone, so that it fails nobody else. */
function commitBegun(database: Database, batch: readonly Operation[]): void {
  let hasFailedInside = true;
  try {
    for (const operation of batch) operation.run();
    hasFailedInside = false;
    database.exec('COMMIT');
  } catch (cause) {
    rollBack(database);
    if (hasFailedInside && batch.length > 1) {
      for (const operation of batch) commitAlone(database, operation);
    } else {
      rejectAll(batch, cause);
    }
    return;
  }
  for (const operation of batch) operation.resolve();
}

function commitAlone(database: Database, operation: Operation): void {
  try {
    database.exec('BEGIN IMMEDIATE');
  } catch (cause) {
    rejectAll([operation], cause);
    return;
  }
  commitBegun(database, [operation]);
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
