/**
 * Stands in for Docker where a page of `docs/recipes` uses Docker Compose, because tests have no containers.
 *
 * `docker compose up --detach --wait` starts the services of `compose.yaml` in this network: PostgreSQL and NATS
 * as the programs of this machine, and a service of a Node.js image as its command. It runs each health check until it
 * passes. `docker compose exec SERVICE COMMAND` runs a command beside them, `docker compose logs --follow SERVICE` shows
 * what a service of a Node.js image prints, and `docker compose down` ends them all.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

import { readServices } from './compose-file.ts';
import type { Service } from './compose-file.ts';
import { logOf, startService } from './start-service.ts';

const PID_FILE = 'compose.pid';
const MAX_CHECKS = 300;
const BETWEEN_CHECKS_MILLISECONDS = 100;

const line = process.argv.slice(2).join(' ');

if (line === 'compose up --detach --wait') await up();
else if (line === 'compose down') await down();
else if (line.startsWith('compose exec ')) exec(process.argv.slice(4));
else if (line.startsWith('compose logs --follow ')) follow(process.argv[5] ?? '');
else if (line === 'stay') await stay();
else throw new Error(`The pages must use a command that is known here, got docker ${line}.`);

/** Starts the services in a process that stays, and returns when they are healthy. */
async function up(): Promise<void> {
  const program = process.argv[1] ?? '';
  const staying = spawn(process.execPath, [program, 'stay'], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [outcome] = (await Promise.race([once(staying, 'message'), once(staying, 'exit')])) as [
    unknown,
  ];
  if (outcome !== 'healthy') throw new Error('The services must become healthy, got an end.');
  writeFileSync(PID_FILE, String(staying.pid));
  staying.disconnect();
  staying.unref();
}

async function stay(): Promise<void> {
  const ended = once(process, 'SIGTERM');
  const services = readServices();
  const running = [];
  for (const service of services) {
    running.push(await startService(service));
    await healthy(service);
  }
  process.send?.('healthy');
  await ended;
  for (const one of running.toReversed()) await one.stop();
}

async function healthy({ name, environment, healthcheck }: Service): Promise<void> {
  if (healthcheck === null) return;
  const env = { ...process.env, ...environment };
  for (let checks = 1; ; checks += 1) {
    const { status, stderr } = spawnSync('sh', ['-c', healthcheck], { env, encoding: 'utf8' });
    if (status === 0) return;
    if (checks === MAX_CHECKS) throw new Error(`${name} must be healthy, got ${stderr}`);
    await setTimeout(BETWEEN_CHECKS_MILLISECONDS);
  }
}

async function down(): Promise<void> {
  const pid = Number(readFileSync(PID_FILE, 'utf8'));
  process.kill(pid, 'SIGTERM');
  while (existsSync(`/proc/${pid}`)) await setTimeout(BETWEEN_CHECKS_MILLISECONDS);
  rmSync(PID_FILE);
}

/** In a container, psql finds the server without a host. */
function exec([name = '', command = '', ...args]: readonly string[]): void {
  const service = readServices().find((one) => one.name === name);
  if (service === undefined) throw new Error(`A service must be in compose.yaml, got ${name}.`);
  const env = { ...process.env, ...service.environment, PGHOST: 'localhost' };
  execFileSync(command, args, { env, stdio: 'inherit' });
}

/** Ends with the services. */
function follow(name: string): void {
  const pid = readFileSync(PID_FILE, 'utf8');
  const args = ['--follow', '--lines=+1', `--pid=${pid}`, logOf(name)];
  execFileSync('tail', args, { stdio: 'inherit' });
}
