import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

import { run } from '../../bin/dist/main.js';
import { emptyFolder } from '../empty-folder.ts';
import { startHosted } from './command-host.ts';
import type { Running } from './command-host.ts';

export const PROGRAM: string = fileURLToPath(new URL('../../bin/hookproof.js', import.meta.url));

export interface Place {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** No server of another test is found here, and each has its file of its own. */
const stateFiles = mkdtempSync(join(tmpdir(), 'hookproof-state-'));
process.on('exit', () => rmSync(stateFiles, { recursive: true, force: true }));
process.env['HOOKPROOF_STATE_FILE'] = join(stateFiles, 'none.json');
let started = 0;

const SERVE = ['serve', '--port', '0', '--json'];

/** Returns a path for `HOOKPROOF_STATE_FILE` that no other process has. */
export function stateFile(): string {
  started += 1;
  return join(stateFiles, `${started}.json`);
}

function orderOf(args: readonly string[], place: Place) {
  const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const given = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const env: Record<string, string> = {
    ...Object.fromEntries(given),
    HOOKPROOF_STATE_FILE: stateFile(),
    HOOKPROOF_JOURNAL: join(stateFiles, `journal-${started}`),
    ...place.env,
  };
  return { args, cwd: place.cwd ?? emptyFolder(), env };
}

function startProcess(args: readonly string[], place: Place): Running & Pick<ChildProcess, 'kill'> {
  const { cwd, env } = orderOf(args, place);
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit').then(([code, signal]) => code ?? signal);
  return { stdout: child.stdout, stderr: child.stderr, exit, kill: (signal) => child.kill(signal) };
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

/** Runs a command to its end, with pipes for its output. Use `hookproofProcess` when its process is what you test. */
export async function hookproof(args: readonly string[], place: Place = {}): Promise<Finished> {
  const command = startHosted(orderOf(args, place));
  let isEnded = false;
  onTestFinished(() => {
    if (!isEnded) command.abandon();
  });
  const finished = await finish(command);
  isEnded = true;
  return finished;
}

/** Runs a command to its end in a child process of its own. */
export function hookproofProcess(args: readonly string[], place: Place = {}): Promise<Finished> {
  return finish(startProcess(args, place));
}

async function finish({ exit, ...output }: Running): Promise<Finished> {
  const [stdout, stderr, code] = await Promise.all([
    text(output.stdout),
    text(output.stderr),
    exit,
  ]);
  return { code: typeof code === 'number' ? code : null, stdout, stderr };
}

interface ReadyAddresses {
  readonly baseUrl: string;
  readonly appUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
}

/** The options of `check` that name a server and its control interface. */
export function optionsOf(server: ReadyAddresses): string[] {
  const { baseUrl, appUrl, controlUrl, controlToken } = server;
  const control = ['--control-url', controlUrl, '--control-token', controlToken];
  return ['--base-url', baseUrl, '--app-url', appUrl, ...control];
}

interface ReadyLine extends ReadyAddresses {
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
  /** Ends it as SIGTERM does. Resolves with the exit code. */
  stop(): Promise<number | NodeJS.Signals>;
}

/** A server in a process of its own. */
interface ServingProcess extends Serving {
  /** Sends a signal, SIGTERM by default. Resolves with the exit code, or with the signal that ended the process. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** Starts `hookproof serve` for one test. Use `serveProcess` when its process is what you test. */
export async function serve(args: readonly string[] = [], place: Place = {}): Promise<Serving> {
  const server = await startServer(args, place);
  onTestFinished(async () => {
    await server.stop();
  });
  return server;
}

/** Starts `hookproof serve` for one test, in a process that is killed when the test ends. */
export async function serveProcess(
  args: readonly string[] = [],
  place: Place = {},
): Promise<ServingProcess> {
  const child = startProcess([...SERVE, ...args], place);
  const server = await ready(child);
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return child.exit;
  };
  onTestFinished(async () => {
    await stop('SIGKILL');
  });
  return { ...server, stop };
}

/** Starts `hookproof serve --port 0 --json` and waits until it is ready. The caller stops it. */
export async function startServer(args: readonly string[], place: Place): Promise<Serving> {
  const command = startHosted(orderOf([...SERVE, ...args], place));
  const stop = () => {
    command.stop();
    return command.exit;
  };
  return { ...(await ready(command)), stop };
}

/** A server that prints for a person. */
export interface ServingInText extends Pick<Serving, 'lines' | 'stop'>, ReadyAddresses {
  /** The wildcard key. */
  readonly key: string;
}

/** Starts `hookproof serve` without `--json` for one test. Its state file says where it is. */
export async function serveInText(args: readonly string[]): Promise<ServingInText> {
  const file = stateFile();
  const env = { HOOKPROOF_STATE_FILE: file };
  const command = startHosted(orderOf(['serve', '--port', '0', ...args], { env }));
  const stop = () => {
    command.stop();
    return command.exit;
  };
  onTestFinished(async () => {
    await stop();
  });
  const lines: string[] = [];
  const read = createInterface({ input: command.stdout });
  read.on('line', (line) => lines.push(line));
  await once(read, 'line');
  return { ...JSON.parse(readFileSync(file, 'utf8')), lines, stop };
}

/** Waits for the line that says that the server is ready. */
async function ready({ stdout, stderr, exit }: Running): Promise<Omit<Serving, 'stop'>> {
  const errors = text(stderr);
  const lines = createInterface({ input: stdout });
  const line = await Promise.race([once(lines, 'line').then(([first]) => first), exit]);
  if (typeof line !== 'string') {
    throw new Error(`serve must print a line, but it ended with ${line}: ${await errors}`);
  }
  const first = JSON.parse(line);
  const after: string[] = [];
  lines.on('line', (next) => after.push(next));
  return { ...first, ready: first, errors, lines: after };
}
