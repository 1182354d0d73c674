import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import { largeValuesOf } from '../state/kept-places.ts';
import type { LargeReference, LargeValue, LargeValueSource } from '../state/large-value.ts';
import { tablesOf } from '../state/state.ts';
import type { StoredState } from '../state/state.ts';
import { UnreadRecord } from '../state/unread-record.ts';
import type { ValueChange } from './change-log.ts';
import { syncFolder } from './generations.ts';
import { StoreError } from './store.ts';

/** Files that are written at the same time. */
const MAX_WRITES = 8;
const UNFINISHED = '.tmp';

/**
 * The large values of a data folder, each in a file under the hash of its JSON. A file is durable before the
 * journal refers to it, and is removed when no stored record refers to it any more.
 */
export class LargeValueFolder implements LargeValueSource {
  readonly #dataFolder: string;
  readonly #folder: string;
  /** How many stored records refer to each hash. Each of these files exists. */
  readonly #references = new Map<string, number>();
  readonly #unused = new Set<string>();
  #removing: Promise<void> | null = null;
  #removed: { readonly sha256: string; readonly done: Promise<void> } | null = null;

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
    this.#folder = join(dataFolder, 'values');
  }

  /**
   * Counts the references of a state that was read.
   *
   * @throws {StoreError} `store_corrupt` when a file is missing or has another size. Nothing has changed
   */
  check(state: StoredState): void {
    for (const [table, records] of Object.entries(tablesOf(state))) {
      for (const record of records.stored()) {
        for (const reference of referencesOf(table, record)) {
          if (!this.#references.has(reference.$large)) this.#checkFile(reference, table, record);
          this.#count(reference.$large, 1);
        }
      }
    }
  }

  /** Removes what kills have left behind: files that no record of a checked state refers to. */
  async removeOrphans(): Promise<void> {
    const names = await readdir(this.#folder).catch(ignoreMissing);
    for (const name of names ?? []) {
      if (!this.#references.has(name)) await unlink(join(this.#folder, name));
    }
  }

  read(sha256: string): Buffer {
    const path = join(this.#folder, sha256);
    try {
      const json = readFileSync(path);
      if (createHash('sha256').update(json).digest('hex') === sha256) return json;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new StoreError('store_corrupt', `${path} cannot be read (${why}).`, { cause });
    }
    throw new StoreError(
      'store_corrupt',
      `${path} is damaged: its bytes do not have the hash in its name. Restore a copy of the file.`,
    );
  }

  /**
   * Writes the values that no file contains yet. When it resolves, they are durable.
   *
   * @returns the hashes of the files that it wrote
   * @throws the error of the file system, after it has removed what it wrote
   */
  async write(values: Iterable<LargeValue>): Promise<ReadonlySet<string>> {
    const missing = new Map<string, Buffer>();
    for (const { sha256, unstored } of values) {
      // A file that waits for its removal is whole.
      const exists = this.#references.has(sha256) || this.#unused.delete(sha256);
      if (exists) continue;
      if (unstored === null)
        throw new Error(`The large value ${sha256} was removed before its record`);
      missing.set(sha256, unstored);
    }
    if (missing.size === 0) return new Set();
    const written = new Set<string>();
    try {
      await this.#makeFolder();
      const entries = missing.entries();
      const write = async (): Promise<void> => {
        for (const [sha256, json] of entries) {
          written.add(sha256);
          await this.#writeFile(sha256, json);
        }
      };
      await settleAll(Array.from({ length: MAX_WRITES }, write));
      await syncFolder(this.#folder);
      return written;
    } catch (error) {
      await this.discard(written);
      throw error;
    }
  }

  /** Removes files that were written for a batch which failed. What remains is removed at the next start. */
  async discard(written: ReadonlySet<string>): Promise<void> {
    for (const sha256 of written) {
      for (const name of [sha256, sha256 + UNFINISHED]) {
        await unlink(join(this.#folder, name)).catch(() => undefined);
      }
    }
  }

  /** Call it when a batch is durable. */
  settle({ added, dropped }: ValueChange): void {
    for (const value of added) {
      value.moveTo(this);
      this.#count(value.sha256, 1);
    }
    for (const value of dropped) this.#count(value.sha256, -1);
    if (this.#unused.size > 0) this.#removing ??= this.#removeUnused();
  }

  /** Waits until unused files are removed. */
  async close(): Promise<void> {
    await this.#removing;
  }

  #count(sha256: string, change: 1 | -1): void {
    const count = (this.#references.get(sha256) ?? 0) + change;
    if (count > 0) {
      this.#references.set(sha256, count);
      return;
    }
    this.#references.delete(sha256);
    this.#unused.add(sha256);
  }

  /** One after another, because the journal needs the disk more. */
  async #removeUnused(): Promise<void> {
    for (const sha256 of this.#unused) {
      this.#unused.delete(sha256);
      // What cannot be removed now is removed at the next start.
      const done = unlink(join(this.#folder, sha256)).catch(() => undefined);
      this.#removed = { sha256, done };
      await done;
    }
    this.#removed = null;
    this.#removing = null;
  }

  async #makeFolder(): Promise<void> {
    const made = await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) await syncFolder(this.#dataFolder);
  }

  async #writeFile(sha256: string, json: Buffer): Promise<void> {
    if (this.#removed?.sha256 === sha256) await this.#removed.done;
    const path = join(this.#folder, sha256);
    const handle = await open(path + UNFINISHED, 'w', 0o600);
    try {
      await handle.writeFile(json);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(path + UNFINISHED, path);
  }

  #checkFile({ $large, bytes }: LargeReference, table: string, record: object): void {
    const path = join(this.#folder, $large);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.size === bytes) return;
    const what = found === undefined ? 'is missing' : `has ${found.size} bytes instead of ${bytes}`;
    const id: unknown = Reflect.get(record, 'id');
    throw new StoreError(
      'store_corrupt',
      `${path} ${what}; record ${String(id)} of ${table} refers to it. Nothing was changed. Restore a copy of the folder, or use an empty folder.`,
    );
  }
}

/** The stored values of a record, which need not be read for this. */
function referencesOf(table: string, record: object): readonly LargeReference[] {
  if (record instanceof UnreadRecord) return record.large;
  const stored = largeValuesOf(table, record).filter(({ unstored }) => unstored === null);
  return stored.map((value) => value.toJSON());
}

/** Waits for all, then throws the first error: no write may go on after its batch has failed. */
async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
