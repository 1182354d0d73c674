import { EventEmitter, once } from 'node:events';
import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { text } from 'node:stream/consumers';
import { startProxy } from '@hookproof/conformance/proof';

import { emptyFolder } from '../../empty-folder.ts';
import { optionsOf, PROGRAM } from '../hookproof.ts';
import type { Finished, Serving } from '../hookproof.ts';

/** What the control interface shows of the state that a run may change. */
export interface Changes {
  readonly worlds: number;
  readonly endpoints: number;
  readonly faults: number;
  readonly limits: unknown;
}

/** That of a deployment before the first run. */
export const UNCHANGED: Changes = {
  worlds: 1,
  endpoints: 0,
  faults: 0,
  limits: { rateLimit: null, accounting: 'available' },
};

async function get(server: Serving, path: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${server.controlToken}` };
  const response = await fetch(`${server.controlUrl}${path}`, { headers });
  const body: Record<string, unknown> = Object(await response.json());
  return body;
}

export async function changesIn(server: Serving): Promise<Changes> {
  const count = async (path: string): Promise<number> => {
    const { data } = await get(server, path);
    return Array.isArray(data) ? data.length : 0;
  };
  return {
    worlds: await count('/worlds'),
    endpoints: await count('/webhook-endpoints'),
    faults: await count('/api-faults'),
    limits: await get(server, '/limits'),
  };
}

/** Says whether the control request that has just had its effect is the one to stop at; its response is lost. */
export type Moment = (request: string, count: number) => boolean;

/** A control interface in front of another one. */
interface ControlProxy {
  readonly url: string;
  /** Resolves at the moment. */
  readonly reached: Promise<void>;
}

/** Stands before the control interface of a deployment until the moment. */
export async function standBefore({ controlUrl }: Serving, moment: Moment): Promise<ControlProxy> {
  const { origin, pathname } = new URL(controlUrl);
  let count = 0;
  let isOver = false;
  const signals = new EventEmitter();
  const reached = once(signals, 'reached').then(() => {});
  const proxy = await startProxy(
    {
      control: async (request, next) => {
        const response = await next(request);
        const path = new URL(request.url).pathname.slice(pathname.length);
        count += 1;
        if (isOver || !moment(`${request.method} ${path}`, count)) return response;
        isOver = true;
        signals.emit('reached');
        return new Promise(() => {});
      },
    },
    { target: origin, controlPrefix: pathname },
  );
  onTestFinished(() => proxy.close());
  return { url: proxy.url + pathname, reached };
}

/** The options of a run that changes whatever the suite can change. */
export function targetArgs(server: Serving, controlUrl: string): string[] {
  const access = ['--sender', '--allow-writes', '--allow-deletes'];
  return [...optionsOf({ ...server, controlUrl }), ...access];
}

/** A command in a process of its own. */
export interface RunningCommand {
  readonly finished: Promise<Finished>;
  signal(name: NodeJS.Signals): void;
}

export function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningCommand {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: emptyFolder(),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  const stderr = text(child.stderr);
  const closed = once(child, 'close').then(([code]) => code);
  return {
    finished: closed.then(async (code) => ({ code, stdout, stderr: await stderr })),
    signal: (name) => child.kill(name),
  };
}
