import { randomNumbers } from './deliveries.ts';
import type { Task } from './handle-until-killed.ts';
import type { KillOptions } from './kill-handlers.ts';
import { followJournal, Processes } from './processes.ts';
import type { Process } from './processes.ts';

interface ReplayReport {
  /** Number of calls of `replay()` that were acknowledged. */
  readonly acknowledged: number;
  /** Events whose last replay no handler finished, and runs that an acknowledged replay did not reach. */
  readonly lost: readonly string[];
  /** Events that were handled out of order, or again without a replay or a kill. */
  readonly violations: readonly string[];
}

/** 1,200 events, more than one step of a replay takes in any store. */
const WINDOWS = 40;
const MAX_BEGUN_BEFORE_KILL = 20;
const MAX_HANDLED_BEFORE_KILL = 400;

/**
 * Runs processes that share a store, of which the first replays all events again and again. It is killed during
 * a replay, and in turn with that any of them while the replays are handled. In the end one handles what is left.
 */
export async function killReplays(options: KillOptions): Promise<ReplayReport> {
  const random = randomNumbers(options.seed);
  const followed = followJournal(options.journal);
  const { journal } = followed;
  const processes = new Processes(followed);
  const start = (index: number): Process =>
    processes.start((name) => taskOf(options, name, { delivers: false, replays: index === 0 }));
  const first = processes.start((name) => taskOf(options, name, { delivers: true, replays: true }));
  const running = [first];
  for (let index = 1; index < options.processes; index += 1) running.push(start(index));
  await followed.until(() => journal.isIdle(first.name));

  const kill = async (index: number): Promise<void> => {
    const victim = running[index];
    if (victim === undefined) return;
    await processes.kill(victim);
    running[index] = start(index);
  };
  for (let count = 0; count < options.kills; count += 2) {
    const { begun } = journal.replays;
    const handlers = Math.floor(random() * MAX_BEGUN_BEFORE_KILL);
    await followed.until(() => {
      const { replays, begunSinceReplay } = journal;
      const isOver = replays.begun === begun + 1 && replays.acknowledged === replays.begun;
      return replays.begun > begun && (isOver || begunSinceReplay >= handlers);
    });
    await kill(0);
    const target = journal.ended + 1 + Math.floor(random() * MAX_HANDLED_BEFORE_KILL);
    await followed.until(() => journal.ended >= target);
    await kill(Math.floor(random() * running.length));
  }
  await Promise.all(running.map((process) => processes.kill(process)));
  const last = processes.start((name) =>
    taskOf(options, name, { delivers: false, replays: false }),
  );
  await followed.until(() => journal.isIdle(last.name));
  await processes.kill(last);
  followed.close();
  return {
    acknowledged: journal.replays.acknowledged,
    lost: [...journal.unhandled, ...journal.notReplayed],
    violations: journal.violations,
  };
}

function taskOf(
  { store, address, journal, seed }: KillOptions,
  name: number,
  { delivers, replays }: { readonly delivers: boolean; readonly replays: boolean },
): Task {
  return {
    store,
    address,
    journal,
    name,
    seed,
    firstWindow: 0,
    step: 1,
    endWindow: delivers ? WINDOWS : 0,
    acknowledged: [],
    redrive: false,
    keepBodiesDays: 1,
    replays,
  };
}
