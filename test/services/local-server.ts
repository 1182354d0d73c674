import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { describe, inject, test } from 'vitest';

import { compiledProgram } from '../compiled-program.ts';
import type { ProgramKind, ServerKind } from './programs/binaries.ts';

/** A server that runs for tests. It ends, and its data is deleted, when this process ends in any way. */
export interface LocalServer {
  readonly url: string;
  /** Ends it without a chance to clean up. */
  crash(): Promise<void>;
  /** Starts it again after `crash()`, with the same data and address. */
  restart(): Promise<void>;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

/** A `describe` whose tests are left out when the program is not installed; the run then says so. */
export function describeWith(kind: ProgramKind): ReturnType<typeof describe.skipIf> {
  return describe.skipIf(inject('missingPrograms').includes(kind));
}

/** The same for one test. */
export function testWith(kind: ProgramKind): ReturnType<typeof test.skipIf> {
  return test.skipIf(inject('missingPrograms').includes(kind));
}

/**
 * Starts a server of its own for one file or test.
 *
 * @param options - further options of its command line, such as `--appendonly yes` for Redis
 */
export async function startServer(
  kind: ServerKind,
  options: readonly string[] = [],
): Promise<LocalServer> {
  const program = compiledProgram(new URL('programs/serve.ts', import.meta.url));
  const child = spawn(process.execPath, [program, kind, ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`The server ${kind} must keep running, got its end.`);
    return value;
  };
  const url = await nextLine();
  return {
    url,
    async crash() {
      child.stdin.write('crash\n');
      await nextLine();
    },
    async restart() {
      child.stdin.write('start\n');
      await nextLine();
    },
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}
