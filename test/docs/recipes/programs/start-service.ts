import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';

import { folderOf, isServerKind } from '../../../services/programs/binaries.ts';
import type { ServerKind } from '../../../services/programs/binaries.ts';
import { end, launch } from '../../../services/programs/launch.ts';
import { FORMS } from '../../../services/programs/servers.ts';
import type { Service } from './compose-file.ts';

export interface RunningService {
  stop(): Promise<void>;
}

/** The port that each image listens on. */
const PORTS: Readonly<Record<ServerKind, number>> = { postgres: 5432, redis: 6379, nats: 4222 };

/** Starts the program that a service of `compose.yaml` would run in its container. */
export function startService(service: Service): Promise<RunningService> | RunningService {
  if (isServerKind(service.image)) return startServer(service.image, service);
  if (service.image === 'node' && service.command !== null) return startProgram(service);
  throw new Error(`${service.name} must use an image that is known here, got ${service.image}.`);
}

async function startServer(kind: ServerKind, { command }: Service): Promise<RunningService> {
  const programs = folderOf(kind);
  if (programs === null) throw new Error(`${kind} must be installed.`);
  const folder = mkdtempSync(join(tmpdir(), `hookproof-${kind}-`));
  chmodSync(folder, 0o755);
  const port = PORTS[kind];
  // The image's own program and its data folder are those of this machine.
  const options = (command ?? '').replace('-sd /data ', '');
  const place = { programs, folder, port, options: options.split(' ').filter(Boolean) };
  FORMS[kind].prepare(place);
  const server: ChildProcess = await launch(FORMS[kind].launch(place));
  if (kind === 'postgres') await addUser(FORMS.postgres.url(port));
  return {
    async stop() {
      await end(server, FORMS[kind].stop);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The user that the image creates. */
async function addUser(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query('CREATE ROLE postgres SUPERUSER LOGIN');
  await client.end();
}

/** The file with what a service of a Node.js image prints. */
export function logOf(name: string): string {
  return `${name}.log`;
}

function startProgram({ name, command, environment }: Service): RunningService {
  const log = openSync(logOf(name), 'w');
  const program = spawn('sh', ['-c', `exec ${command}`], {
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ['ignore', log, log],
  });
  const exited = once(program, 'exit');
  return {
    async stop() {
      // npx has a process of its own for the command.
      if (program.pid !== undefined) process.kill(-program.pid, 'SIGTERM');
      await exited;
    },
  };
}
