import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { compiledProgram } from '../../../../compiled-program.ts';
import type { Task } from './handle-until-killed.ts';
import { Journal } from './journal.ts';

const PROGRAM = compiledProgram(new URL('handle-until-killed.ts', import.meta.url));
const POLL_MILLISECONDS = 2;
const DRAIN_MILLISECONDS = 120_000;

export interface Process {
  /** Its name in the journal. */
  readonly name: number;
  readonly child: ChildProcess;
}

/** Starts and kills processes that share a store and a journal. */
export class Processes {
  readonly #followed: FollowedJournal;
  #lastName = 0;

  constructor(followed: FollowedJournal) {
    this.#followed = followed;
  }

  start(taskOf: (name: number) => Task): Process {
    this.#lastName += 1;
    const task = JSON.stringify(taskOf(this.#lastName));
    const child = spawn(process.execPath, [PROGRAM, task], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return { name: this.#lastName, child };
  }

  async kill({ name, child }: Process): Promise<void> {
    if (child.exitCode !== null) throw new Error(`Process ${name} must run until it is killed.`);
    // Another process may handle its events again before this one notices the end.
    this.#followed.read();
    this.#followed.journal.noteKilled(name);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

interface FollowedJournal {
  readonly journal: Journal;
  read(): void;
  /** Reads until a condition holds, or for two minutes. */
  until(isReached: () => boolean): Promise<void>;
  close(): void;
}

/** Reads a journal while processes write it. */
export function followJournal(path: string): FollowedJournal {
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
