import { fork } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConformanceOptions } from '@hookproof/conformance';

import { ROOT } from './build.ts';
import { runToEnd } from './processes.ts';

/** What a run of the suite leaves behind. */
export interface Inspected {
  readonly exitCode: number | null;
  /** The report as JSON. */
  readonly output: string;
}

/** A way to run the suite: all checks of the sides that the options name. One run at a time. */
export interface Inspector {
  inspect(options: ConformanceOptions): Promise<Inspected>;
  close(): Promise<void>;
}

const COMMAND = join(ROOT, 'bin/hookproof.js');
const PROCESS = join(ROOT, 'test/mutants/judge-process.mjs');
const STDIO: StdioOptions = ['ignore', 'ignore', 'pipe', 'ipc'];

/** The command line, started anew for each run. */
export function commandLine(): Inspector {
  return {
    async inspect(options) {
      const folder = mkdtempSync(join(tmpdir(), 'hookproof-fixtures-'));
      try {
        const { exitCode, output, errors } = await runToEnd(COMMAND, [
          'check',
          ...argumentsOf(options, join(folder, 'fixtures.json')),
          '--json',
        ]);
        if (output === '') throw new Error(`the command line wrote no report: ${errors}`);
        return { exitCode, output };
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    close: () => Promise.resolve(),
  };
}

/** A process that makes one run after another: what it loaded and compiled for the first serves the others. */
export function standingProcess(): Inspector {
  let child: ChildProcess | undefined;
  return {
    inspect(options) {
      // One that has ended cost the run that it made, and no other.
      child = child?.connected === true ? child : fork(PROCESS, { stdio: STDIO });
      return answerOf(child, options);
    },
    async close() {
      if (child?.connected !== true) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

function answerOf(child: ChildProcess, options: ConformanceOptions): Promise<Inspected> {
  return new Promise((resolve, reject) => {
    let errors = '';
    const note = (chunk: unknown): void => {
      errors += String(chunk);
    };
    const settle = (act: () => void): void => {
      child.stderr?.off('data', note);
      child.off('close', end).off('message', answer);
      act();
    };
    const end = (): void =>
      settle(() => reject(new Error(`the judging process ended without a report: ${errors}`)));
    const answer = (inspected: Inspected): void => settle(() => resolve(inspected));
    child.stderr?.on('data', note);
    child.on('close', end).on('message', answer);
    child.send(options);
  });
}

function argumentsOf(options: ConformanceOptions, fixturesFile: string): string[] {
  const { baseUrl, appUrl, control, fixtures, sender, receiver, allowWrites, allowDeletes } =
    options;
  if (fixtures !== undefined) writeFileSync(fixturesFile, JSON.stringify(fixtures));
  return [
    ...option('base-url', baseUrl),
    ...option('app-url', appUrl),
    ...option('control-url', control?.url),
    ...option('control-token', control?.token),
    ...option('fixtures', fixtures && fixturesFile),
    ...option('receiver', receiver?.url),
    ...option('secret', receiver?.secret),
    ...option('observer', receiver?.observerUrl),
    ...(sender === true ? ['--sender'] : []),
    ...(allowWrites === true ? ['--allow-writes'] : []),
    ...(allowDeletes === true ? ['--allow-deletes'] : []),
  ];
}

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}
