import { rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import type { Logger } from '../logger.ts';
import { largeValuesOf } from '../state/kept-places.ts';
import type { LargeValue } from '../state/large-value.ts';
import { STATE_FORMAT, tablesOf } from '../state/state.ts';
import type { StoredState } from '../state/state.ts';
import { unchanging } from './change-log.ts';
import {
  journalPath,
  listGenerations,
  removeBefore,
  snapshotPath,
  syncFolder,
} from './generations.ts';
import type { Generations } from './generations.ts';
import { createJournal } from './journal.ts';
import type { OpenedFolder } from './journal.ts';
import { JOURNAL_LINE, JournalFile } from './journal-file.ts';
import { LargeValueFolder } from './large-value-folder.ts';
import { damaged } from './lines.ts';
import { FORMER_FILES, readFormat4 } from './read-format-4.ts';
import { readJournal } from './read-journal.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';
import { StateReader } from './stored-record.ts';

/**
 * Reads the newest snapshot of a folder and the journals after it. A folder of a former format is moved
 * forward, and one without a state gets the initial state.
 *
 * @throws {StoreError} `store_corrupt` or `store_unsupported_format`, before anything in the folder changes
 */
export async function openFolder(
  folder: string,
  initial: StoredState,
  logger: Logger,
): Promise<OpenedFolder> {
  const generations = await listGenerations(folder);
  const newest = generations.snapshots.at(-1);
  const opened =
    newest === undefined
      ? await beginFolder(folder, generations, initial, logger)
      : await continueFolder(folder, generations, newest, logger);
  await removeLeftovers(folder, opened.generation);
  await opened.values.removeOrphans();
  opened.state.hasLargeValuesOnDisk = true;
  return opened;
}

/** The first journal precedes the first snapshot, so that a snapshot always has its journal. */
async function beginFolder(
  folder: string,
  { journals }: Generations,
  initial: StoredState,
  logger: Logger,
): Promise<OpenedFolder> {
  for (const path of journals.map((one) => journalPath(folder, one))) {
    const { size } = await stat(path);
    if (size > JOURNAL_LINE.length) throw damaged(path, 0, 'the snapshot before it is missing');
  }
  const values = new LargeValueFolder(folder);
  const state = (await readFormat4(folder, values, logger)) ?? initial;
  return beginGeneration({ folder, values, state, generation: 1 });
}

/** Writes a whole state as the first snapshot of this format. */
async function beginGeneration(
  begun: Pick<OpenedFolder, 'folder' | 'values' | 'state' | 'generation'>,
): Promise<OpenedFolder> {
  const { folder, values, state, generation } = begun;
  const added = [...unstoredValues(state)];
  await values.write(added);
  values.settle({ added, dropped: [] });
  const file = await createJournal(folder, generation);
  const path = snapshotPath(folder, generation);
  const snapshotBytes = (await writeSnapshot(`${path}.tmp`, unchanging(state), () => false)) ?? 0;
  await rename(`${path}.tmp`, path);
  await syncFolder(folder);
  return { ...begun, file, snapshotBytes, earlierBytes: 0 };
}

function* unstoredValues(state: StoredState): Iterable<LargeValue> {
  for (const [table, records] of Object.entries(tablesOf(state))) {
    for (const record of records.stored()) {
      for (const value of largeValuesOf(table, record)) if (value.unstored !== null) yield value;
    }
  }
}

async function continueFolder(
  folder: string,
  { journals }: Generations,
  oldest: number,
  logger: Logger,
): Promise<OpenedFolder> {
  const values = new LargeValueFolder(folder);
  const reader = new StateReader(values);
  const path = snapshotPath(folder, oldest);
  const snapshotBytes = await readSnapshot(path, reader);
  const isFormer = reader.format !== STATE_FORMAT;
  const generations = journals.filter((one) => one >= oldest);
  const last = Math.max(oldest, ...generations);
  let earlierBytes = 0;
  for (let generation = oldest; ; generation += 1) {
    const journal = journalPath(folder, generation);
    if (!journals.includes(generation)) throw damaged(journal, 0, 'the file is missing');
    const { bytes, mayLackBatch } = await readJournal(journal, reader);
    const { size } = await stat(journal);
    const isCut = size !== bytes;
    const later = generations.filter((one) => one > generation);
    const unused = isCut ? await unusedJournals(folder, later) : [];
    if (isCut && unused.length < later.length) {
      throw damaged(journal, bytes, 'a batch is cut off');
    }
    if (generation < last && !isCut) {
      earlierBytes += bytes;
      continue;
    }
    const misfit = reader.finish();
    if (misfit !== null) throw damaged(path, 0, misfit);
    const { state } = reader;
    values.check(state);
    if (isCut && mayLackBatch) {
      logger.warn(`${journal} was cut at byte ${bytes}; the last writes may be missing.`);
    }
    for (const name of unused) await unlink(name);
    const file = await JournalFile.reopen(journal, bytes);
    if (isFormer) {
      await file.close();
      return beginGeneration({ folder, values, state, generation: generation + 1 });
    }
    return { folder, state, values, generation, file, snapshotBytes, earlierBytes };
  }
}

/**
 * Returns the journals of these generations that have no batch. A server that could not begin one, because the
 * disk was full, went on with the journal before it.
 */
async function unusedJournals(folder: string, generations: readonly number[]): Promise<string[]> {
  const unused: string[] = [];
  for (const path of generations.map((one) => journalPath(folder, one))) {
    const { size } = await stat(path);
    if (size <= JOURNAL_LINE.length) unused.push(path);
  }
  return unused;
}

/** What kills during a compaction or the move from a former format leave behind. */
async function removeLeftovers(folder: string, generation: number): Promise<void> {
  const { snapshots } = await listGenerations(folder);
  await removeBefore(folder, snapshots.at(-1) ?? generation);
  const unfinished = [generation, generation + 1].map((one) => `${snapshotPath(folder, one)}.tmp`);
  const former = FORMER_FILES.map((name) => join(folder, name));
  for (const path of [...unfinished, ...former]) await unlink(path).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
