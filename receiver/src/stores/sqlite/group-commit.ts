import { StoreError } from '../store-error.ts';
import type { Database } from './driver.ts';

const MOST_OPERATIONS = 512;

interface Operation {
  run(): void;
  resolve(): void;
  reject(error: StoreError): void;
}

/** Runs operations of many callers in one synced transaction, in the order in which they came. */
export interface GroupCommit {
  /** Resolves once the transaction is on the disk. */
  commit<Result>(operation: () => Result): Promise<Result>;
  /** Commits what waits. */
  flush(): void;
}

export function groupCommit(database: Database): GroupCommit {
  let waiting: Operation[] = [];
  let isScheduled = false;

  const flush = (): void => {
    isScheduled = false;
    const batch = waiting.slice(0, MOST_OPERATIONS);
    waiting = waiting.slice(MOST_OPERATIONS);
    commitTogether(database, batch);
    if (waiting.length > 0) schedule();
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
    flush() {
      while (waiting.length > 0) flush();
    },
  };
}

/** When one of several operations fails, each is tried alone, so that it fails nobody else. */
function commitTogether(database: Database, batch: readonly Operation[]): void {
  if (batch.length === 0) return;
  let isBegun = false;
  let hasFailedInside = true;
  try {
    database.exec('BEGIN IMMEDIATE');
    isBegun = true;
    for (const operation of batch) operation.run();
    hasFailedInside = false;
    database.exec('COMMIT');
  } catch (cause) {
    if (isBegun) rollBack(database);
    if (isBegun && hasFailedInside && batch.length > 1) {
      for (const operation of batch) commitTogether(database, [operation]);
    } else {
      const error = unavailable(cause);
      for (const operation of batch) operation.reject(error);
    }
    return;
  }
  for (const operation of batch) operation.resolve();
}

function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // SQLite has rolled back by itself, as it does when the disk is full.
  }
}

function unavailable(cause: unknown): StoreError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreError('store_unavailable', `The SQLite file cannot be written: ${why}`, {
    cause,
  });
}
