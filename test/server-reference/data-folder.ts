import { mkdir, readFile, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { StateByText } from './state-by-text.ts';

/** The state in a data folder: a file of JSON, with a list of records for each table. */
export async function readDataFolder(folder: string): Promise<StateByText> {
  const file = JSON.parse(await readFile(join(folder, 'data.json'), 'utf8')) as object;
  const members = Object.entries(file).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? byId(value) : value,
  ]);
  return Object.fromEntries(members) as StateByText;
}

function byId(records: readonly { readonly id: string; readonly key?: string }[]): object {
  return Object.fromEntries(records.map((record) => [record.key ?? record.id, record]));
}

/** Makes every write to a data folder fail until the returned function is called. */
export async function blockWrites(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'data.json.tmp');
  await mkdir(path);
  return () => rmdir(path);
}
