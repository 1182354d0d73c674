import type { AcceptOutcome, IncomingEvent } from '../store.ts';
import { accepting } from './accepting.ts';
import type { Database } from './driver.ts';
import type { Operations } from './messages.ts';
import type { Moment } from './moment.ts';
import { whenFree } from './open-database.ts';
import { openOperations } from './operations.ts';
import { totals } from './totals.ts';

/** The parts of an open file, whose changes are made in transactions. */
export interface Parts {
  readonly accept: (at: Moment, event: IncomingEvent) => AcceptOutcome;
  readonly operations: Operations;
}

/** Makes changes in one step: all of an action, or nothing. */
export interface Transactions {
  /**
   * When it returns, the changes survive the end of the process. With `isSynced` they survive the end
   * of the machine, with all changes before them.
   */
  run<Result>(isSynced: boolean, action: (parts: Parts) => Result): Result;
}

export function openTransactions(database: Database): Transactions {
  const counts = totals(database);
  const parts = {
    accept: accepting(database, counts),
    operations: openOperations(database, counts),
  };
  const beginNow = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  let synchronous = '';
  const begin = (isSynced: boolean): void => {
    const needed = isSynced ? 'FULL' : 'NORMAL';
    if (needed !== synchronous) database.exec(`PRAGMA synchronous = ${needed}`);
    synchronous = needed;
    whenFree(() => void beginNow.run());
  };
  const rollBack = (): void => {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back, for instance because the disk is full.
    }
    counts.reset();
  };

  return {
    run(isSynced, action) {
      begin(isSynced);
      try {
        const result = action(parts);
        counts.write();
        commit.run();
        return result;
      } catch (error) {
        rollBack();
        throw error;
      }
    },
  };
}
