import type { Database } from './driver.ts';
import type { Moment } from './moment.ts';
import { text } from './rows.ts';

/** The names that are paused. */
export interface Pauses {
  add(name: string): null;
  /** Every job that waits for a time is due then: now, or when its lease is released. */
  remove(at: Moment, name: string): null;
  all(): readonly string[];
}

export function openPauses(database: Database): Pauses {
  const add = database.prepare('INSERT OR IGNORE INTO hookproof_pauses VALUES (?)');
  const remove = database.prepare('DELETE FROM hookproof_pauses WHERE name = ?');
  const makeAllDue = database.prepare(
    'UPDATE hookproof_jobs SET due = ?1, stamp = ?1 WHERE holder IS NOT NULL OR due > ?1',
  );
  const all = database.prepare('SELECT name FROM hookproof_pauses ORDER BY name');
  return {
    add(name) {
      add.run(name);
      return null;
    },
    remove({ monotonic }, name) {
      if (remove.run(name).changes > 0) makeAllDue.run(monotonic);
      return null;
    },
    all: () => all.all().map((row) => text(row, 'name')),
  };
}
