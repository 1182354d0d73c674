import { open, readdir, unlink } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';

/**
 * The files of a data folder. A snapshot of a generation has everything from before the journal of the same
 * generation. Generations are counted up, so no file ever changes its meaning.
 */
export interface Generations {
  readonly snapshots: readonly number[];
  readonly journals: readonly number[];
}

const NAME = /^state-(\d{6,15})\.(snapshot|journal)$/;

/** Returns the generations in a folder in ascending order. */
export async function listGenerations(folder: string): Promise<Generations> {
  const found = { snapshot: [] as number[], journal: [] as number[] };
  for (const name of await readdir(folder)) {
    const [, number, kind] = NAME.exec(name) ?? [];
    if (kind === 'snapshot' || kind === 'journal') found[kind].push(Number(number));
  }
  return {
    snapshots: found.snapshot.toSorted(ascending),
    journals: found.journal.toSorted(ascending),
  };
}

function ascending(one: number, other: number): number {
  return one - other;
}

export function snapshotPath(folder: string, generation: number): string {
  return join(folder, `state-${String(generation).padStart(6, '0')}.snapshot`);
}

export function journalPath(folder: string, generation: number): string {
  return join(folder, `state-${String(generation).padStart(6, '0')}.journal`);
}

/** Removes the files of generations before this one, which nothing needs any more. */
export async function removeBefore(folder: string, generation: number): Promise<void> {
  const { snapshots, journals } = await listGenerations(folder);
  const paths = [
    ...snapshots.filter((one) => one < generation).map((one) => snapshotPath(folder, one)),
    ...journals.filter((one) => one < generation).map((one) => journalPath(folder, one)),
  ];
  for (const path of paths) await unlink(path);
}

/** Makes new names in a folder durable. Does nothing on Windows, which cannot sync a folder. */
export async function syncFolder(folder: string): Promise<void> {
  if (platform() === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
