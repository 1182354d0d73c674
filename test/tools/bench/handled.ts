import { once } from 'node:events';

import { Client } from 'pg';

import { forkProgram } from './processes.ts';
import type { AppName, Handled } from './programs/handle.ts';

/** Divides runs over some processes of an app that share a store. */
export async function handleTogether(
  app: AppName,
  address: string,
  { runs, warmUp = 0, processes = 1 }: { runs: number; warmUp?: number; processes?: number },
): Promise<{ readonly shares: readonly Handled[]; readonly seconds: number }> {
  const children = [];
  // One after the other: the first creates the tables.
  for (let index = 0; index < processes; index += 1) {
    const child = forkProgram('handle', app, address, String(runs / processes), String(warmUp));
    child.once('exit', (code) => {
      if (code !== 0) throw new Error(`The app ${app} must end with 0, got ${code}.`);
    });
    await once(child, 'message');
    children.push(child);
  }
  const start = performance.now();
  const shares = await Promise.all(
    children.map(async (child) => {
      child.send('go');
      const [share] = (await once(child, 'message')) as [Handled];
      return share;
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  const ends = children.map((child) => once(child, 'exit'));
  for (const child of children) child.send('end');
  await Promise.all(ends);
  return { shares, seconds };
}

/** Creates a database, and returns its URL. */
export async function emptyDatabase(url: string, name: string): Promise<string> {
  const client = new Client(url);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return url.replace(/postgres$/, name);
}
