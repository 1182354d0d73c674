import type { Database } from './driver.ts';
import { text } from './rows.ts';

/** The names that are paused. */
export interface Pauses {
  add(name: string): null;
  remove(name: string): null;
  all(): readonly string[];
}

export function openPauses(database: Database): Pauses {
  const add = database.prepare('INSERT OR IGNORE INTO hookproof_pauses VALUES (?)');
  const remove = database.prepare('DELETE FROM hookproof_pauses WHERE name = ?');
  const all = database.prepare('SELECT name FROM hookproof_pauses ORDER BY name');
  return {
    add(name) {
      add.run(name);
      return null;
    },
    remove(name) {
      remove.run(name);
      return null;
    },
    all: () => all.all().map((row) => text(row, 'name')),
  };
}
