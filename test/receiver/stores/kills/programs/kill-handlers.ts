import { WINDOW_EVENTS, randomNumbers } from './deliveries.ts';
import type { Task } from './handle-until-killed.ts';
import type { Journal } from './journal.ts';
import { followJournal, Processes } from './processes.ts';
import type { Process } from './processes.ts';

export interface KillOptions {
  /** A name of `STORES`. */
  readonly store: string;
  /** The file or the URL of an empty store. */
  readonly address: string;
  /** Path of a file that does not exist yet. */
  readonly journal: string;
  readonly kills: number;
  readonly seed: number;
  /** Number of processes that share the store. */
  readonly processes: number;
}

export interface KillReport {
  readonly kills: number;
  readonly acknowledged: number;
  /** Acknowledged events that no handler finished. */
  readonly lost: readonly string[];
  /** Events that were handled out of order, or again although they were not in hand at a kill. */
  readonly violations: readonly string[];
  /** Number of events that were handled again because they were in hand at a kill. */
  readonly repeated: number;
  /** Number of dead letters: events that were in hand alone at three kills. They were redriven. */
  readonly dead: number;
}

const MAX_HANDLED_BETWEEN_KILLS = 60;

/**
 * Runs processes that share a store, kills one after the other at seeded moments, and starts each
 * again. In the end the processes handle what is left without a kill.
 */
export async function killHandlers(options: KillOptions): Promise<KillReport> {
  const random = randomNumbers(options.seed);
  const followed = followJournal(options.journal);
  const { journal } = followed;
  const processes = new Processes(followed);
  const start = (index: number, isLast: boolean): Process =>
    processes.start((name) => taskOf(options, journal, { name, index, isLast }));

  const running = Array.from({ length: options.processes }, (_, index) => start(index, false));
  for (let count = 0; count < options.kills; count += 1) {
    const index = Math.floor(random() * running.length);
    const victim = running[index];
    if (victim === undefined) break;
    const target = journal.ended + 1 + Math.floor(random() * MAX_HANDLED_BETWEEN_KILLS);
    await followed.until(() => journal.hasOpened(victim.name) && journal.ended >= target);
    await processes.kill(victim);
    running[index] = start(index, false);
  }
  await Promise.all(running.map((process) => processes.kill(process)));
  const last = start(0, true);
  await followed.until(() => journal.hasDelivered(last.name) && journal.unhandled.length === 0);
  await processes.kill(last);
  followed.close();
  return {
    kills: options.kills,
    acknowledged: journal.acknowledged,
    lost: journal.unhandled,
    violations: journal.violations,
    repeated: journal.repeated,
    dead: journal.dead.length,
  };
}

/** A process continues with the first window of its own that has events without acknowledgement. */
function taskOf(
  { store, address, journal: path, seed, processes }: KillOptions,
  journal: Journal,
  { name, index, isLast }: { name: number; index: number; isLast: boolean },
): Task {
  let firstWindow = index;
  while (journal.acknowledgedIn(firstWindow).length === WINDOW_EVENTS) firstWindow += processes;
  return {
    store,
    address,
    journal: path,
    name,
    seed,
    firstWindow: isLast ? journal.firstIncompleteWindow : firstWindow,
    step: isLast ? 1 : processes,
    endWindow: isLast ? journal.windows : Number.MAX_SAFE_INTEGER,
    acknowledged: journal.acknowledgedIn(firstWindow),
    redrive: isLast,
    keepBodiesDays: 0,
    replays: false,
  };
}
