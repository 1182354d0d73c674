import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { buffer, text } from 'node:stream/consumers';

import { runStatusChangedEvent, signEvent } from '@hookproof/receiver/testing';
import { expect, onTestFinished } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { listeningPort } from '../listening-port.ts';
import { PROGRAM } from './hookproof.ts';

export const SECRET = 'whsec_bGlzdGVuIHRvIGEgcGxhdGZvcm0=';
export const event = runStatusChangedEvent();

export interface Listening {
  readonly url: string;
  /** The rows after the first. It grows. */
  readonly rows: readonly Record<string, unknown>[];
  /** Waits for a row with these members. */
  readonly row: (members: object) => Promise<Record<string, unknown>>;
  /** Writes a line to its standard input. */
  readonly write: (line: string) => void;
  readonly stop: (signal?: NodeJS.Signals) => Promise<{ code: number | null; stderr: string }>;
}

/** Starts `hookproof listen --json` on a free port for one test. */
export async function listen(
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Listening & { readonly ready: Record<string, unknown> }> {
  const command = [PROGRAM, 'listen', '--port', '0', '--json', ...args];
  const child = spawn(process.execPath, command, { cwd: emptyFolder(), env, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  const errors = text(child.stderr);
  const rows: Record<string, unknown>[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => rows.push(JSON.parse(line)));
  const find = (members: object) => () =>
    rows.find((row) => Object.entries(members).every(([name, value]) => row[name] === value));
  const row = async (members: object) => {
    await expect.poll(find(members)).toBeDefined();
    return find(members)() ?? expect.unreachable();
  };
  const ready = await row({ event: 'ready' });
  return {
    ready,
    url: String(ready['url']),
    rows,
    row,
    write: (line) => void child.stdin.write(`${line}\n`),
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const [code] = await exit;
      return { code, stderr: await errors };
    },
  };
}

export interface App {
  readonly url: string;
  readonly arrivals: { request: IncomingMessage; body: Buffer }[];
}

/** Starts an app for one test. It keeps what arrives. */
export async function app(
  respond: (response: ServerResponse, body: Buffer) => void = (response) => response.end(),
  port = 0,
): Promise<App> {
  const arrivals: App['arrivals'] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      arrivals.push({ request, body });
      respond(response, body);
    });
  });
  return { url: `http://127.0.0.1:${await listeningPort(server, port)}/hook?a=1`, arrivals };
}

/** Posts a delivery. Default: {@link event}, signed with {@link SECRET}. */
export function deliver(
  url: string,
  signed: { headers: Record<string, string>; body: Uint8Array } = signEvent(event, {
    secret: SECRET,
  }),
): Promise<Response> {
  return fetch(url, { method: 'POST', headers: signed.headers, body: new Uint8Array(signed.body) });
}
