import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

import { run } from '../../bin/dist/main.js';

export const PROGRAM: string = fileURLToPath(new URL('../../bin/hookproof.js', import.meta.url));

/** Bounds a whole run of the suite that hangs; on an idle machine it takes a few seconds. */
export const SUITE_RUN = { timeout: 300_000 };

export interface Place {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Makes an empty folder, which is deleted when the test ends. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** No server of another test is found here, and each has its file of its own. */
const stateFiles = mkdtempSync(join(tmpdir(), 'hookproof-state-'));
process.on('exit', () => rmSync(stateFiles, { recursive: true, force: true }));
process.env['HOOKPROOF_STATE_FILE'] = join(stateFiles, 'none.json');
let started = 0;

/** Returns a path for `HOOKPROOF_STATE_FILE` that no other process has. */
export function stateFile(): string {
  started += 1;
  return join(stateFiles, `${started}.json`);
}

function start(args: readonly string[], place: Place): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...args], {
    cwd: place.cwd ?? emptyFolder(),
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      HOOKPROOF_STATE_FILE: stateFile(),
      ...place.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the command line without a process, for help and usage errors: what needs no server and no exit. */
export async function runInProcess(args: readonly string[]): Promise<Finished> {
  const written = { stdout: '', stderr: '' };
  const code = await run(['node', 'hookproof', ...args], {
    writeOut: (chunk) => (written.stdout += chunk),
    writeErr: (chunk) => (written.stderr += chunk),
  });
  return { code, ...written };
}

/** Runs the command line in a child process to its end, with pipes for its output. */
export async function hookproof(args: readonly string[], place: Place = {}): Promise<Finished> {
  const child = start(args, place);
  if (child.stdout === null || child.stderr === null) throw new Error('stdio must be pipes');
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}

export interface ReadyLine {
  readonly baseUrl: string;
  readonly appUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly keys: Record<
    'wildcard' | 'reviewer' | 'ocr' | 'workflow' | 'revoked' | 'otherTenant',
    string
  >;
}

export interface Serving extends ReadyLine {
  readonly ready: Record<string, unknown>;
  /** What it has written to standard error when it has ended. */
  readonly errors: Promise<string>;
  /** The lines after the first. It grows. */
  readonly lines: readonly string[];
  /** Sends a signal. Resolves with the exit code, or with the name of the signal that ended the process. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** Starts `hookproof serve` for one test: it is killed when the test ends. */
export async function serve(args: readonly string[] = [], place: Place = {}): Promise<Serving> {
  const server = await startServer(args, place);
  onTestFinished(async () => {
    await server.stop('SIGKILL');
  });
  return server;
}

/** Starts `hookproof serve --port 0 --json` and waits until it is ready. The caller stops it. */
export async function startServer(args: readonly string[], place: Place): Promise<Serving> {
  const child = start(['serve', '--port', '0', '--json', ...args], place);
  if (child.stdout === null || child.stderr === null) throw new Error('stdio must be pipes');
  const exit = once(child, 'exit').then(([code, signal]) => code ?? signal);
  const errors = text(child.stderr);
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([once(lines, 'line').then(([first]) => first), exit]);
  if (typeof line !== 'string') {
    throw new Error(`serve must print a line, but it ended with ${line}: ${await errors}`);
  }
  const ready = JSON.parse(line);
  const after: string[] = [];
  lines.on('line', (next) => after.push(next));
  return {
    ...ready,
    ready,
    errors,
    lines: after,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exit;
    },
  };
}
