import { mkdtemp, open, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';

import { createServer } from '@hookproof/server-reference';
import type { World } from '@hookproof/server-reference';

/** A record of a snapshot, of any kind. */
export interface Stored {
  readonly id: string;
  readonly tenantId?: string;
  readonly createdAt?: string;
}

/** The records of a data folder by the name of their table. */
export type Tables = Readonly<Record<string, Stored[]>>;

/** Has all of a record in its line, so it can be written here. A server moves it forward. */
const FORMER_FORMAT = 6;

/** Creates a data folder with the world of a server in memory and the additions of `fill`. */
export async function filledFolder(
  fill: (tables: Tables, world: World) => void,
): Promise<{ readonly folder: string; readonly world: World }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bench-'));
  const server = await createServer({ store: { kind: 'folder', path: folder }, seed: 1 });
  await server.close();
  const [snapshot, journal] = ['snapshot', 'journal'].map((kind) =>
    path.join(folder, `state-000001.${kind}`),
  ) as [string, string];
  const changes = [...(await readChanges(snapshot)), ...(await readChanges(journal))];
  const singles = changes.findLast(([name]) => name === 'singles');
  const tables: Record<string, Stored[]> = {};
  for (const [name, record] of changes) {
    if (typeof record === 'object' && name !== 'singles') (tables[name] ??= []).push(record);
  }
  fill(tables, server.world);
  await writeSnapshot(snapshot, [['snapshot', FORMER_FORMAT], singles], tables);
  await writeFile(journal, checkedLine(['journal', FORMER_FORMAT]));
  const moved = await createServer({ store: { kind: 'folder', path: folder } });
  await moved.close();
  return { folder, world: server.world };
}

type Change = readonly [string, Stored | number];

function checkedLine(change: unknown): string {
  const json = JSON.stringify(change);
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
}

async function readChanges(file: string): Promise<Change[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.filter((line) => /^[0-9a-f]{8} /.test(line)).map(readChange);
}

/** A line with facts has three parts: `[table, id, large values]`, the facts, and the record. */
function readChange(line: string): Change {
  const [first, , record] = line
    .slice(9)
    .split('\t')
    .map((part): unknown => JSON.parse(part));
  const [name, value] = first as Change;
  return [name, record === undefined ? value : (record as Stored)];
}

/** Writes by pieces, because the text may be longer than a string can be. */
async function writeSnapshot(
  file: string,
  first: readonly (Change | undefined)[],
  tables: Tables,
): Promise<void> {
  const handle = await open(file, 'w');
  let piece = '';
  let count = 0;
  const write = async (change: unknown): Promise<void> => {
    piece += checkedLine(change);
    if (piece.length < 1_000_000) return;
    await handle.writeFile(piece);
    piece = '';
  };
  for (const change of first) await write(change);
  for (const [name, records] of Object.entries(tables)) {
    for (const record of records) await write([name, record]);
    count += records.length;
  }
  await write(['end', count]);
  await handle.writeFile(piece);
  await handle.close();
}
