import type { EventState } from '../store.ts';
import type { Database } from './driver.ts';
import { numberIn } from './rows.ts';

/** Counts of events by state. Changes are collected in a transaction and written at its end. */
export interface Totals {
  /** Counts an event that was accepted. */
  add(state: EventState): void;
  /** Counts an event that changed its state. */
  move(from: EventState, to: EventState): void;
  /** Counts settled events that were purged. */
  forget(count: number): void;
  /** Returns the token of the next lease, greater than any before. */
  nextToken(): number;
  read(): Readonly<Record<EventState, number>>;
  /** Writes the changes; run it at the end of a transaction. */
  write(): void;
  /** Drops the changes after a rollback. */
  reset(): void;
}

export function totals(database: Database): Totals {
  const select = database.prepare('SELECT open, dead, settled, last_token FROM hookproof_totals');
  const update = database.prepare(
    `UPDATE hookproof_totals
     SET open = open + ?, dead = dead + ?, settled = settled + ?, last_token = last_token + ?`,
  );
  let change = { open: 0, dead: 0, settled: 0 };
  let tokens = 0;
  let firstToken = 0;
  const isChanged = () => change.open !== 0 || change.dead !== 0 || change.settled !== 0;
  const reset = () => {
    change = { open: 0, dead: 0, settled: 0 };
    tokens = 0;
  };

  return {
    add(state) {
      change[state] += 1;
    },
    move(from, to) {
      change[from] -= 1;
      change[to] += 1;
    },
    forget(count) {
      change.settled -= count;
    },
    nextToken() {
      if (tokens === 0) firstToken = numberIn(select.get() ?? {}, 'last_token') + 1;
      tokens += 1;
      return firstToken + tokens - 1;
    },
    read() {
      const row = select.get() ?? {};
      return {
        open: numberIn(row, 'open') + change.open,
        dead: numberIn(row, 'dead') + change.dead,
        settled: numberIn(row, 'settled') + change.settled,
      };
    },
    write() {
      if (tokens > 0 || isChanged()) {
        update.run(change.open, change.dead, change.settled, tokens);
      }
      reset();
    },
    reset,
  };
}
