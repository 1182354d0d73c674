import { Client } from 'pg';

import { startServer } from './local-server.ts';
import type { LocalServer } from './local-server.ts';

/** Tests end processes, not the machine, so the server need not wait for the disk. */
const OPTIONS = ['-c', 'fsync=off', '-c', 'synchronous_commit=on'];

let shared: Promise<LocalServer> | null = null;
let count = 0;

/** Creates an empty database on a server that all test files of this process share, and returns its address. */
export async function freshDatabase(): Promise<string> {
  shared ??= startServer('postgres', OPTIONS);
  const { url } = await shared;
  count += 1;
  const name = `test_${count}`;
  const client = new Client(url);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return url.replace(/postgres$/, name);
}
