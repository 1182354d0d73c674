import type { Database } from './driver.ts';

/**
 * - `reads`: sees one state of the file, and waits for no other process.
 * - `writes`: when it returns, the changes survive the end of the process.
 * - `writes-synced`: they survive the end of the machine, with all changes before them.
 */
export type Mode = 'reads' | 'writes' | 'writes-synced';

/** Makes all changes of an action, or none. It throws when another process writes. */
export type Transact = <Result>(mode: Mode, action: () => Result) => Result;

export function transactions(database: Database): Transact {
  const beginRead = database.prepare('BEGIN');
  const beginWrite = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  let synchronous = '';
  const begin = (mode: Mode): void => {
    if (mode === 'reads') return void beginRead.run();
    const needed = mode === 'writes-synced' ? 'FULL' : 'NORMAL';
    if (needed !== synchronous) database.exec(`PRAGMA synchronous = ${needed}`);
    synchronous = needed;
    beginWrite.run();
  };
  const rollBack = (): void => {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back, for instance because the disk is full.
    }
  };

  return (mode, action) => {
    begin(mode);
    try {
      const result = action();
      commit.run();
      return result;
    } catch (error) {
      rollBack();
      throw error;
    }
  };
}
