import { rename, unlink } from 'node:fs/promises';

import type { Adapter } from 'lowdb';

import type { Logger } from '../logger.ts';
import type { StoredState } from '../state/state.ts';
import { ChangeLog } from './change-log.ts';
import type { FrozenState, TakenChanges } from './change-log.ts';
import type { FolderLock } from './folder-lock.ts';
import { journalPath, removeBefore, snapshotPath, syncFolder } from './generations.ts';
import { JournalFile } from './journal-file.ts';
import type { LargeValueFolder } from './large-value-folder.ts';
import { writeSnapshot } from './snapshot.ts';

/** The journal may grow to the size of the snapshot, but to this size in any case. */
export const MIN_COMPACTION_BYTES = 1_048_576;

/** An opened data folder: its state, and the journal that continues it. */
export interface OpenedFolder {
  readonly folder: string;
  readonly state: StoredState;
  readonly generation: number;
  readonly file: JournalFile;
  readonly values: LargeValueFolder;
  readonly snapshotBytes: number;
  /** Of journals that precede the open one. */
  readonly earlierBytes: number;
}

/**
 * Writes each change of a state to a journal. When the journal has grown past the snapshot, another journal
 * begins, and another snapshot is written while commits go on. It takes the place of the former files by one
 * rename.
 */
export class Journal implements Adapter<StoredState> {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #lock: Pick<FolderLock, 'check'>;
  readonly #state: StoredState;
  readonly #changes: ChangeLog;
  readonly #values: LargeValueFolder;
  #file: JournalFile;
  #generation: number;
  #compactAtBytes: number;
  #earlierBytes: number;
  #compaction: Promise<void> | null = null;
  #isClosed = false;

  constructor(opened: OpenedFolder, lock: Pick<FolderLock, 'check'>, logger: Logger) {
    const { folder, state, generation, file } = opened;
    this.#folder = folder;
    this.#logger = logger;
    this.#lock = lock;
    this.#state = state;
    this.#changes = new ChangeLog(state);
    this.#values = opened.values;
    this.#file = file;
    this.#generation = generation;
    this.#compactAtBytes = Math.max(MIN_COMPACTION_BYTES, opened.snapshotBytes);
    this.#earlierBytes = opened.earlierBytes;
  }

  async read(): Promise<StoredState> {
    return this.#state;
  }

  async write(): Promise<void> {
    const changes = this.#changes.take();
    const isLong = this.#earlierBytes + this.#file.bytes > this.#compactAtBytes;
    const frozen = isLong && this.#compaction === null ? this.#changes.freeze() : null;
    try {
      this.#lock.check();
      this.#file.check();
      await this.#store(changes);
    } catch (error) {
      frozen?.release();
      throw error;
    }
    this.#changes.settle();
    this.#values.settle(changes);
    if (frozen !== null) await this.#beginCompaction(frozen);
  }

  /** The large values are durable before a record refers to them. */
  async #store({ lines, added }: TakenChanges): Promise<void> {
    const written = await this.#values.write(added);
    try {
      await this.#append(lines);
    } catch (error) {
      // A batch that is still in the file may come back, with its values.
      if (!this.#file.isRagged) await this.#values.discard(written);
      throw error;
    }
  }

  /** A snapshot in progress may have taken the last room of the disk. When it ends, it has freed some. */
  async #append(lines: readonly string[]): Promise<void> {
    const compaction = this.#compaction;
    try {
      await this.#file.append(lines);
    } catch (error) {
      if (compaction === null) throw error;
      await compaction;
      await this.#file.append(lines);
    }
  }

  /** Takes back all changes that are not in the journal. */
  undo(): void {
    this.#changes.undo();
  }

  /** Waits for the snapshot in progress and closes the journal. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#compaction;
    await this.#values.close();
    await this.#file.close();
  }

  /** The next batch goes to the next journal. Its failure costs nothing: the journal in use grows on. */
  async #beginCompaction(frozen: FrozenState): Promise<void> {
    const generation = this.#generation + 1;
    try {
      const next = await createJournal(this.#folder, generation);
      const former = this.#file;
      this.#file = next;
      this.#generation = generation;
      this.#earlierBytes += former.bytes;
      await former.close();
    } catch (error) {
      frozen.release();
      this.#postpone(error);
      return;
    }
    this.#compaction = this.#compact(generation, frozen).finally(() => {
      this.#compaction = null;
    });
  }

  async #compact(generation: number, frozen: FrozenState): Promise<void> {
    const path = snapshotPath(this.#folder, generation);
    try {
      const bytes = await this.#writeUnfinished(`${path}.tmp`, frozen);
      if (bytes === null) return;
      await rename(`${path}.tmp`, path);
      await syncFolder(this.#folder);
      this.#compactAtBytes = Math.max(MIN_COMPACTION_BYTES, bytes);
      this.#earlierBytes = 0;
      await removeBefore(this.#folder, generation);
    } catch (error) {
      this.#postpone(error);
    } finally {
      frozen.release();
    }
  }

  /** A snapshot that does not become whole is removed: on a full disk, the journal needs its room. */
  async #writeUnfinished(path: string, frozen: FrozenState): Promise<number | null> {
    let bytes: number | null = null;
    try {
      bytes = await writeSnapshot(path, frozen, () => this.#isClosed);
      return bytes;
    } finally {
      if (bytes === null) await unlink(path).catch(() => undefined);
    }
  }

  #postpone(error: unknown): void {
    this.#compactAtBytes = this.#earlierBytes + this.#file.bytes + MIN_COMPACTION_BYTES;
    this.#logger.warn(
      `The journal in ${this.#folder} could not be compacted; the next attempt follows when it has grown: ${String(error)}`,
    );
  }
}

/** Creates the journal of a generation under a durable name. */
export async function createJournal(folder: string, generation: number): Promise<JournalFile> {
  const file = await JournalFile.create(journalPath(folder, generation));
  try {
    await syncFolder(folder);
    return file;
  } catch (error) {
    await file.close();
    await unlink(file.path);
    throw error;
  }
}
