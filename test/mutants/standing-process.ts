import { fork } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import type { ConformanceOptions } from '@hookproof/conformance';

import { compiledProgram } from '../compiled-program.ts';
import type { Inspected, Inspector } from './inspector.ts';

const PROGRAM = compiledProgram(new URL('programs/judge.ts', import.meta.url));
const STDIO: StdioOptions = ['ignore', 'ignore', 'pipe', 'ipc'];

/** A process that makes several runs, so that modules are loaded and compiled only once. */
export function standingProcess(): Inspector {
  let child: ChildProcess | undefined;
  let busy = false;
  return {
    async inspect(options) {
      if (busy)
        throw new Error('the judging process makes one run at a time: await the one before');
      busy = true;
      try {
        // If the process has ended, only its current run is lost.
        child = child?.connected === true ? child : fork(PROGRAM, { stdio: STDIO });
        return await resultOf(child, options);
      } finally {
        busy = false;
      }
    },
    async close() {
      if (child?.connected !== true) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

function resultOf(child: ChildProcess, options: ConformanceOptions): Promise<Inspected> {
  return new Promise((resolve, reject) => {
    let errors = '';
    const note = (chunk: unknown): void => {
      errors += String(chunk);
    };
    const settle = (act: () => void): void => {
      child.stderr?.off('data', note);
      child.off('close', end).off('message', receive);
      act();
    };
    const end = (): void =>
      settle(() => reject(new Error(`the judging process ended without a report: ${errors}`)));
    const receive = (inspected: Inspected): void => settle(() => resolve(inspected));
    child.stderr?.on('data', note);
    child.on('close', end).on('message', receive);
    child.send(options, (error) => {
      if (error !== null) end();
    });
  });
}
