/**
 * Runs one server for tests and benchmarks: `serve.js postgres|redis|nats [option …]`.
 *
 * It prints the server's address when it accepts connections. It reads orders from its standard input:
 * `crash` ends the server as a power failure of the process does, `start` starts it again with its data
 * and its port; each prints a line when done. When the input ends, which the end of its parent causes in
 * any case, it stops the server and deletes the data. When the server is not installed, it says how to install it, and ends
 * with 127 as a shell does.
 */
import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { folderOf, isServerKind, SERVERS } from './binaries.ts';
import { end, freePort, launch } from './launch.ts';
import { FORMS } from './servers.ts';
import type { Place } from './servers.ts';

const MAX_PORTS = 5;
const NOT_INSTALLED = 127;

const [kind, ...options] = process.argv.slice(2);
if (isServerKind(kind)) {
  const programs = folderOf(kind);
  if (programs === null) {
    process.stderr.write(`${kind} is not installed: apt-get install ${SERVERS[kind].package}\n`);
    process.exit(NOT_INSTALLED);
  }
  const folder = mkdtempSync(join(tmpdir(), `hookproof-${kind}-`));
  chmodSync(folder, 0o755);
  await serve({ programs, folder, options });
} else {
  throw new Error(`The server must be ${Object.keys(SERVERS).join(', ')}, got ${kind}.`);
}

async function serve(place: Omit<Place, 'port'>): Promise<void> {
  // Ctrl-C reaches this process too. It ends when its parent has ended.
  process.on('SIGINT', () => undefined);
  const form = FORMS[isServerKind(kind) ? kind : 'postgres'];
  const lines = createInterface({ input: process.stdin });
  try {
    let { server, port } = await startOnFreePort(place);
    process.stdout.write(`${form.url(port)}\n`);
    for await (const order of lines) {
      if (order === 'crash') await end(server, form.crash);
      if (order === 'start') server = await launch(form.launch({ ...place, port }));
      process.stdout.write(`${order}\n`);
    }
    await end(server, form.stop);
  } finally {
    rmSync(place.folder, { recursive: true, force: true });
  }
}

/** Another process may take the port between its choice and the start, so this tries again. */
async function startOnFreePort(
  place: Omit<Place, 'port'>,
): Promise<{ server: ChildProcess; port: number }> {
  const form = FORMS[isServerKind(kind) ? kind : 'postgres'];
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    form.prepare({ ...place, port });
    try {
      return { server: await launch(form.launch({ ...place, port })), port };
    } catch (error) {
      if (tries === MAX_PORTS) throw error;
    }
  }
}
