import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

import type { StateByText } from './state-by-text.ts';

/** The state in a data folder: its newest snapshot, and the journals from there on. */
export async function readDataFolder(folder: string): Promise<StateByText> {
  const state: Record<string, Record<string, unknown>> = {};
  for (const table of ['runs', 'events', 'deliveries', 'tenants']) state[table] = {};
  const [newest = '', ...others] = await stateFiles(folder);
  for (const name of [newest, ...others]) {
    const text = await readFile(join(folder, name), 'utf8');
    for (const line of text.split('\n')) {
      if (!/^[0-9a-f]{8} /.test(line)) continue;
      const [table, value, edits] = readChange(line);
      if (table === 'singles') Object.assign(state, value);
      else if (typeof value === 'string' && edits !== undefined) {
        for (const edit of edits) applyEdit(state[table]?.[value], edit);
      } else if (typeof value === 'string') delete state[table]?.[value];
      else if (typeof value === 'object') {
        (state[table] ??= {})[table === 'apiKeys' ? value.key : value.id] = value;
      }
    }
  }
  return state as object as StateByText;
}

/** `[path]` removes a member, `[path, value]` sets one, `[path, start, count, entries]` splices a list. */
type Edit = [(string | number)[], ...unknown[]];

function applyEdit(record: unknown, [path, ...change]: Edit): void {
  const [value, count, entries] = change;
  const at = change.length === 3 ? path.length : path.length - 1;
  let found = record as Record<string | number, unknown>;
  for (const name of path.slice(0, at)) found = found[name] as typeof found;
  const name = path.at(-1) ?? '';
  if (change.length === 3) {
    (found as unknown as unknown[]).splice(
      value as number,
      count as number,
      ...(entries as unknown[]),
    );
  } else if (change.length === 1) found[name] = value;
  else delete found[name];
}

/** The table of a line with its record, with the id of a deleted one, or with an id and edits. */
function readChange(line: string): [string, string | Keyed, Edit[] | undefined] {
  const [first, , record] = line
    .slice(9)
    .split('\t')
    .map((part): unknown => JSON.parse(part));
  const [table, value, edits] = first as [string, string | Keyed, Edit[]?];
  return record === undefined ? [table, value, edits] : [table, record as Keyed, undefined];
}

interface Keyed {
  readonly id: string;
  readonly key: string;
}

/** The names of the newest snapshot and of its journals, in order. */
async function stateFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) =>
    /\.(?:snapshot|journal)(?:\.away)?$/.test(name),
  );
  const newest = names.toSorted().findLast((name) => name.endsWith('.snapshot')) ?? '';
  const journals = names
    .toSorted()
    .filter((name) => name.includes('.journal') && name >= newest.slice(0, 'state-000001'.length));
  return [newest, ...journals];
}

/** The path of the journal that a server appends to. */
export async function journalIn(folder: string): Promise<string> {
  return join(folder, (await stateFiles(folder)).at(-1) ?? '');
}

/** Makes every write to a data folder fail until the returned function is called. */
export async function blockWrites(folder: string): Promise<() => Promise<void>> {
  const journal = await journalIn(folder);
  await rename(journal, `${journal}.away`);
  return () => rename(`${journal}.away`, journal);
}

/** What the last batch of the journal changed: tables and ids. */
export async function lastBatch(folder: string): Promise<[string, string][]> {
  const text = await readFile(await journalIn(folder), 'utf8');
  const lines = text.trimEnd().split('\n');
  const start = lines.findLastIndex((line) => line.startsWith('batch '));
  return lines.slice(start + 1).map((line) => {
    const [table, value] = readChange(line);
    return [table, typeof value === 'string' ? value : value.id];
  });
}
