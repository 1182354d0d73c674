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

const PROGRAM = fileURLToPath(new URL('../../bin/hookproof.js', import.meta.url));

export interface Place {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An empty folder that goes when the test ends. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function start(args: readonly string[], place: Place): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...args], {
    cwd: place.cwd ?? emptyFolder(),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...place.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the command line as a user would, in a pipe, to its end. */
export async function hookproof(args: readonly string[], place: Place = {}): Promise<Finished> {
  const child = start(args, place);
  if (child.stdout === null || child.stderr === null) throw new Error('no pipes');
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
  /** Sends a signal and resolves with the exit code, or the signal's name when it died of it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** `hookproof serve --port 0 --json`, ready; stopped when the test ends. */
export async function serve(args: readonly string[] = [], place: Place = {}): Promise<Serving> {
  const child = start(['serve', '--port', '0', '--json', ...args], place);
  if (child.stdout === null || child.stderr === null) throw new Error('no pipes');
  const exit = once(child, 'exit').then(([code, signal]) => code ?? signal);
  const errors = text(child.stderr);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([once(lines, 'line').then(([first]) => first), exit]);
  if (typeof line !== 'string') throw new Error(`serve ended with ${line}: ${await errors}`);
  const ready = JSON.parse(line);
  return {
    ...ready,
    ready,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exit;
    },
  };
}
