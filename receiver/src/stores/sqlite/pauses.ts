import type { Database } from './driver.ts';
import type { Moment } from './moment.ts';
import { text } from './rows.ts';

const MAX_MADE_DUE = 1_000;

/** The names that are paused. */
export interface Pauses {
  add(name: string): null;
  /** Leased jobs are due when they are released. False: there was no such pause. */
  remove(at: Moment, name: string): boolean;
  /** Makes some jobs due that wait for a time. False at the end. */
  makeSomeDue(at: Moment): boolean;
  all(): readonly string[];
}

export function openPauses(database: Database): Pauses {
  const add = database.prepare('INSERT OR IGNORE INTO hookproof_pauses VALUES (?)');
  const remove = database.prepare('DELETE FROM hookproof_pauses WHERE name = ?');
  const makeLeasedDue = database.prepare(
    'UPDATE hookproof_jobs SET due = ?1, stamp = ?1 WHERE holder IS NOT NULL',
  );
  const makeDue = database.prepare(
    `UPDATE hookproof_jobs SET due = ?1, stamp = ?1 WHERE seq IN (
       SELECT seq FROM hookproof_jobs WHERE holder IS NULL AND due IS NOT NULL AND due > ?1
       ORDER BY due LIMIT ${MAX_MADE_DUE})`,
  );
  const all = database.prepare('SELECT name FROM hookproof_pauses ORDER BY name');
  return {
    add(name) {
      add.run(name);
      return null;
    },
    remove({ monotonic }, name) {
      if (Number(remove.run(name).changes) === 0) return false;
      makeLeasedDue.run(monotonic);
      return true;
    },
    makeSomeDue: ({ monotonic }) => Number(makeDue.run(monotonic).changes) === MAX_MADE_DUE,
    all: () => all.all().map((row) => text(row, 'name')),
  };
}
