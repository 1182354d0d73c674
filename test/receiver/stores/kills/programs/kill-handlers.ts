import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { compiledProgram } from '../../../../compiled-program.ts';
import { WINDOW_EVENTS, randomNumbers } from './deliveries.ts';
import type { Task } from './handle-until-killed.ts';
import { Journal } from './journal.ts';

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

const PROGRAM = compiledProgram(new URL('handle-until-killed.ts', import.meta.url));
const LEASE_MILLISECONDS = 1_500;
const MAX_HANDLED_BETWEEN_KILLS = 60;
const POLL_MILLISECONDS = 2;
const DRAIN_MILLISECONDS = 120_000;

interface Process {
  readonly name: number;
  readonly child: ChildProcess;
}

/**
 * Runs processes that share a store, kills one after the other at seeded moments, and starts each
 * again. In the end the processes handle what is left without a kill.
 */
export async function killHandlers(options: KillOptions): Promise<KillReport> {
  const random = randomNumbers(options.seed);
  const followed = followJournal(options.journal);
  const { journal } = followed;
  let lastName = 0;
  const start = (index: number, isLast: boolean): Process => {
    lastName += 1;
    const task = taskOf(options, journal, { name: lastName, index, isLast });
    const stdio = ['ignore', 'ignore', 'inherit'] as const;
    return {
      name: lastName,
      child: spawn(process.execPath, [PROGRAM, JSON.stringify(task)], { stdio: [...stdio] }),
    };
  };
  const kill = async ({ name, child }: Process): Promise<void> => {
    if (child.exitCode !== null) throw new Error(`Process ${name} must run until it is killed.`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    followed.read();
    journal.noteKilled(name);
  };

  const running = Array.from({ length: options.processes }, (_, index) => start(index, false));
  for (let count = 0; count < options.kills; count += 1) {
    const index = Math.floor(random() * running.length);
    const victim = running[index];
    if (victim === undefined) break;
    const target = journal.ended + 1 + Math.floor(random() * MAX_HANDLED_BETWEEN_KILLS);
    await followed.until(() => journal.hasOpened(victim.name) && journal.ended >= target);
    await kill(victim);
    running[index] = start(index, false);
  }
  await Promise.all(running.map(kill));
  const last = start(0, true);
  await followed.until(() => journal.hasDelivered(last.name) && journal.unhandled.length === 0);
  await kill(last);
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
    leaseMilliseconds: LEASE_MILLISECONDS,
    firstWindow: isLast ? journal.firstIncompleteWindow : firstWindow,
    step: isLast ? 1 : processes,
    endWindow: isLast ? journal.windows : Number.MAX_SAFE_INTEGER,
    acknowledged: journal.acknowledgedIn(firstWindow),
    redrive: isLast,
  };
}

interface FollowedJournal {
  readonly journal: Journal;
  read(): void;
  /** Reads until a condition holds, or for two minutes. */
  until(isReached: () => boolean): Promise<void>;
  close(): void;
}

function followJournal(path: string): FollowedJournal {
  const journal = new Journal();
  const descriptor = openSync(path, 'a+');
  const chunk = Buffer.alloc(1024 * 1024);
  let position = 0;
  const read = (): void => {
    for (let length = -1; length !== 0;) {
      length = readSync(descriptor, chunk, 0, chunk.length, position);
      journal.read(chunk.toString('latin1', 0, length));
      position += length;
    }
  };
  return {
    journal,
    read,
    async until(isReached) {
      const end = performance.now() + DRAIN_MILLISECONDS;
      for (read(); !isReached() && performance.now() < end; read()) await pause(POLL_MILLISECONDS);
    },
    close: () => closeSync(descriptor),
  };
}
