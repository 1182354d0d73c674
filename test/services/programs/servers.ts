import { execFileSync } from 'node:child_process';
import { chownSync, existsSync } from 'node:fs';
import { join } from 'node:path';

import type { ServerKind } from './binaries.ts';
import { UNPRIVILEGED } from './launch.ts';
import type { Launch } from './launch.ts';

export interface Place {
  /** Folder with the programs of the server. */
  readonly programs: string;
  /** Folder of its own for the server's data. */
  readonly folder: string;
  readonly port: number;
  /** Further options of the server's command line. */
  readonly options: readonly string[];
}

interface ServerForm {
  url(port: number): string;
  /** Creates what the server needs before its first start. */
  prepare(place: Place): void;
  launch(place: Place): Launch;
  /** The signal that ends it in order, and the one that ends it as a crash does. */
  readonly stop: NodeJS.Signals;
  readonly crash: NodeJS.Signals;
}

const postgres: ServerForm = {
  url: (port) => `postgres://hookproof@127.0.0.1:${port}/postgres`,
  prepare({ programs, folder }) {
    const { uid, gid } = UNPRIVILEGED;
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    const data = join(folder, 'data');
    if (existsSync(data)) return;
    const options = ['--auth=trust', '--username=hookproof', '--encoding=UTF8', '--no-locale'];
    execFileSync(join(programs, 'initdb'), [...options, '--no-sync', '-D', data], {
      ...UNPRIVILEGED,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  },
  launch: ({ programs, folder, port, options }) => ({
    command: join(programs, 'postgres'),
    args: [
      '--listen-addresses=127.0.0.1',
      '--max-connections=200',
      '-D',
      join(folder, 'data'),
      `--unix-socket-directories=${folder}`,
      `--port=${port}`,
      ...options,
    ],
    ready: /database system is ready to accept connections/,
  }),
  stop: 'SIGINT',
  crash: 'SIGQUIT',
};

const redis: ServerForm = {
  url: (port) => `redis://127.0.0.1:${port}`,
  prepare: ownFolder,
  launch: ({ programs, folder, port, options }) => ({
    command: join(programs, 'redis-server'),
    args: ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, ...options],
    ready: /Ready to accept connections/,
  }),
  stop: 'SIGTERM',
  crash: 'SIGKILL',
};

const nats: ServerForm = {
  url: (port) => `nats://127.0.0.1:${port}`,
  prepare: ownFolder,
  launch: ({ programs, folder, port, options }) => ({
    command: join(programs, 'nats-server'),
    args: ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', folder, ...options],
    ready: /Server is ready/,
  }),
  stop: 'SIGTERM',
  crash: 'SIGKILL',
};

function ownFolder({ folder }: Place): void {
  const { uid, gid } = UNPRIVILEGED;
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
}

export const FORMS: Readonly<Record<ServerKind, ServerForm>> = { postgres, redis, nats };
