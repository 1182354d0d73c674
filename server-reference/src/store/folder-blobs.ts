import { createHash, hash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { BlobDamaged, BlobMissing, BlobTooLarge } from './blobs.ts';
import type { Blobs, ByteRange, StoredBytes } from './blobs.ts';
import { isMissing, syncFolder } from './data-file.ts';
import type { FolderLock } from './folder-lock.ts';
import { reasonOf, StoreError } from './store.ts';
import { SweepHolds } from './sweep.ts';

/**
 * Opens the blobs of a data folder, stored as `blobs/<2 hex>/<hash>`. `put` writes a temporary file, syncs
 * it and renames it, so that only complete files remain after a kill or a power cut. Opening removes
 * leftover temporary files.
 *
 * @param dataFolder - an existing folder
 * @param lock - is checked before each put and removal
 * @throws {StoreError} `store_unusable_folder`
 */
export async function openFolderBlobs(
  dataFolder: string,
  lock: Pick<FolderLock, 'check'>,
): Promise<Blobs> {
  const folder = join(dataFolder, 'blobs');
  const incoming = join(folder, 'incoming');
  await prepare(dataFolder, folder, incoming);
  return new FolderBlobs(folder, incoming, lock);
}

class FolderBlobs implements Blobs {
  readonly #folder: string;
  readonly #incoming: string;
  readonly #lock: Pick<FolderLock, 'check'>;
  readonly #holds = new SweepHolds();
  readonly #removals = new Map<string, Promise<void>>();

  constructor(folder: string, incoming: string, lock: Pick<FolderLock, 'check'>) {
    this.#folder = folder;
    this.#incoming = incoming;
    this.#lock = lock;
  }

  async put(source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StoredBytes> {
    await asStoreError(this.#lock.check());
    const temporary = join(this.#incoming, randomUUID());
    try {
      const bytes = await write(temporary, source, limitBytes);
      this.#holds.take(bytes.sha256);
      await asStoreError(this.#publish(temporary, bytes)).catch((error: unknown) => {
        this.#holds.release(bytes.sha256);
        throw error;
      });
      return bytes;
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw error;
    }
  }

  release(sha256: string): void {
    this.#holds.release(sha256);
  }

  async has(sha256: string): Promise<boolean> {
    const found = await stat(pathOf(this.#folder, sha256)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    return found !== undefined;
  }

  async read({ sha256 }: StoredBytes, range?: ByteRange): Promise<Buffer> {
    const bytes = await readFile(pathOf(this.#folder, sha256)).catch((error: unknown) => {
      throw isMissing(error) ? new BlobMissing(sha256) : error;
    });
    if (hash('sha256', bytes) !== sha256) throw new BlobDamaged(sha256);
    return range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
  }

  async open({ size, sha256 }: StoredBytes, range?: ByteRange): Promise<Readable> {
    const handle = await this.#handleOf(sha256);
    try {
      const { size: found } = await handle.stat();
      if (found !== size || (await hashOf(handle)) !== sha256) throw new BlobDamaged(sha256);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return handle.createReadStream({ start: 0, ...range });
  }

  async openUnchecked({ sha256 }: StoredBytes, range: ByteRange): Promise<Readable> {
    const handle = await this.#handleOf(sha256);
    return handle.createReadStream(range);
  }

  async sweep(readHashes: () => ReadonlySet<string>, flush: () => Promise<void>): Promise<void> {
    await this.#holds.duringSweep(async () => {
      const stored = await list(this.#folder);
      const used = readHashes();
      const unused = stored.filter((sha256) => !used.has(sha256) && !this.#holds.has(sha256));
      if (unused.length === 0) return;
      await flush();
      for (const sha256 of unused) {
        await this.#lock.check();
        if (!this.#holds.has(sha256)) await this.#remove(sha256);
      }
    });
  }

  async #handleOf(sha256: string): Promise<FileHandle> {
    return open(pathOf(this.#folder, sha256), 'r').catch((error: unknown) => {
      throw isMissing(error) ? new BlobMissing(sha256) : error;
    });
  }

  /** Renames the temporary file to its final name. A file that has this name may be damaged, so it is replaced. */
  async #publish(temporary: string, { sha256 }: StoredBytes): Promise<void> {
    await this.#removals.get(sha256);
    const path = pathOf(this.#folder, sha256);
    const subfolder = join(path, '..');
    await mkdir(subfolder, { recursive: true });
    await rename(temporary, path);
    await syncFolder(subfolder);
    await syncFolder(this.#folder);
  }

  async #remove(sha256: string): Promise<void> {
    // Where an open file cannot be removed, the next sweep tries again.
    const removal = unlink(pathOf(this.#folder, sha256)).catch(() => undefined);
    this.#removals.set(sha256, removal);
    await removal;
    this.#removals.delete(sha256);
  }
}

async function prepare(dataFolder: string, folder: string, incoming: string): Promise<void> {
  try {
    await rm(incoming, { recursive: true, force: true });
    await mkdir(incoming, { recursive: true });
    await syncFolder(folder);
    await syncFolder(dataFolder);
  } catch (cause) {
    const message = `${folder} is unusable (${reasonOf(cause)}). Give this user write access, or use another data folder.`;
    throw new StoreError('store_unusable_folder', message, { cause });
  }
}

async function write(
  path: string,
  source: AsyncIterable<Uint8Array>,
  limitBytes: number,
): Promise<StoredBytes> {
  const hashed = createHash('sha256');
  let size = 0;
  const handle = await asStoreError(open(path, 'wx', 0o600));
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > limitBytes) throw new BlobTooLarge(limitBytes);
      hashed.update(chunk);
      await asStoreError(handle.writeFile(chunk));
    }
    await asStoreError(handle.sync());
  } finally {
    await handle.close();
  }
  return { size, sha256: hashed.digest('hex') };
}

async function hashOf(handle: FileHandle): Promise<string> {
  const hashed = createHash('sha256');
  await pipeline(handle.createReadStream({ start: 0, autoClose: false }), hashed);
  return hashed.digest('hex');
}

const HASH = /^[0-9a-f]{64}$/;

/** Checks the hash, because it becomes the name of a file. */
function pathOf(folder: string, sha256: string): string {
  if (!HASH.test(sha256))
    throw new TypeError(`sha256 must be 64 lower-case hex digits, got ${sha256}.`);
  return join(folder, sha256.slice(0, 2), sha256);
}

async function list(folder: string): Promise<string[]> {
  const subfolders = (await readdir(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const names = await Promise.all(subfolders.map((subfolder) => readdir(join(folder, subfolder))));
  return names.flat().filter((name) => HASH.test(name));
}

/** Converts an error of the disk to a StoreError. Errors of the source are passed unchanged. */
async function asStoreError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const message = `The bytes of a file could not be written (${reasonOf(cause)}). Free disk space.`;
    throw new StoreError('store_bytes_failed', message, { cause });
  }
}
