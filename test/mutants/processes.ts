import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A target that runs in a separate process. */
export interface RunningTarget {
  /** The first line that it wrote. */
  readonly announcement: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts a program and waits for its first line, which is JSON. */
export async function startTarget(
  program: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningTarget> {
  const child = spawn(process.execPath, [program], { env: { ...process.env, ...environment } });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value, done } = await lines.next();
  if (done === true) throw new Error(`${program} ended before it said where it listens: ${errors}`);
  // Other output must not fill the pipe.
  child.stdout.resume();
  return {
    announcement: JSON.parse(value),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.stdin.end();
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Runs a program to its end. */
export async function runToEnd(
  program: string,
  arguments_: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly exitCode: number | null; readonly output: string; readonly errors: string }> {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [program, ...arguments_], {
    env: { ...process.env, ...environment },
  });
  child.stdin.end();
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const [exitCode]: unknown[] = await once(child, 'close');
  return { exitCode: typeof exitCode === 'number' ? exitCode : null, output, errors };
}
