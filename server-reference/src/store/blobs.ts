import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { syncFolder } from './data-file.ts';
import { StoreError } from './store.ts';

/** Size and hash of stored bytes. */
export interface StoredBytes {
  readonly size: number;
  /** In lower-case hex; the key to read the bytes. */
  readonly sha256: string;
}

const HASH = /^[0-9a-f]{64}$/;
/** The end of the names of bytes that arrive. */
const INCOMING = '.tmp';

/** The bytes of files, in a folder beside the state: one file for each content, named by its SHA-256. */
export class Blobs {
  /** The folder of the files, an absolute path. */
  readonly #folder: string;
  readonly #isTemporary: boolean;
  readonly #shipped: ReadonlyMap<string, string>;

  private constructor(
    folder: string,
    { isTemporary, shipped }: { isTemporary: boolean; shipped: ReadonlyMap<string, string> },
  ) {
    this.#folder = folder;
    this.#isTemporary = isTemporary;
    this.#shipped = shipped;
  }

  /** Opens the blobs of a data folder. */
  static async open(dataFolder: string): Promise<Blobs> {
    const folder = join(dataFolder, 'blobs');
    await mkdir(folder, { recursive: true });
    await syncFolder(dataFolder);
    return new Blobs(folder, { isTemporary: false, shipped: new Map() });
  }

  /**
   * Opens blobs in a new folder, which {@link close} removes.
   *
   * @param shipped - the paths of files of this package, by their hash. They are read there: a folder that ends with the
   * process needs no copy, and to write them took most of the time of a start
   */
  static async openTemporary(shipped: ReadonlyMap<string, string> = new Map()): Promise<Blobs> {
    const folder = await mkdtemp(join(tmpdir(), 'hookproof-'));
    return new Blobs(folder, { isTemporary: true, shipped });
  }

  /**
   * Stores bytes from a stream, and resolves when they are durable. Only complete bytes get their name, also after a kill.
   *
   * @param limitBytes - maximum number of bytes
   * @throws {BlobTooLarge} for more bytes. Also rejects with the error of the source or of the disk. In each case nothing is
   * stored
   */
  async put(source: AsyncIterable<Uint8Array>, limitBytes: number): Promise<StoredBytes> {
    const incoming = join(this.#folder, randomUUID() + INCOMING);
    const hashed = createHash('sha256');
    let size = 0;
    const file = createWriteStream(incoming, {
      flags: 'wx',
      mode: 0o600,
      flush: !this.#isTemporary,
    });
    try {
      await pipeline(
        source,
        async function* count(chunks: AsyncIterable<Uint8Array>) {
          for await (const chunk of chunks) {
            size += chunk.length;
            if (size > limitBytes) throw new BlobTooLarge(limitBytes);
            hashed.update(chunk);
            yield chunk;
          }
        },
        file,
      );
      const sha256 = hashed.digest('hex');
      await rename(incoming, join(this.#folder, sha256));
      if (!this.#isTemporary) await syncFolder(this.#folder);
      return { size, sha256 };
    } catch (error) {
      // A source that fails at once does so while the file is being created.
      if (!file.closed) await new Promise<void>((closed) => void file.once('close', closed));
      await rm(incoming, { force: true });
      throw error;
    }
  }

  /** Returns whether bytes with this hash are stored. */
  async has(sha256: string): Promise<boolean> {
    if (this.#shipped.has(sha256)) return true;
    return access(this.pathOf(sha256)).then(
      () => true,
      () => false,
    );
  }

  /** Returns the bytes, or a part of them from `start` to `end`, both included. Missing ones are an error of the stream. */
  read(sha256: string, part: { readonly start?: number; readonly end?: number } = {}): Readable {
    return createReadStream(this.pathOf(sha256), part);
  }

  /**
   * Removes what no record refers to, and compares the rest with its hashes. Call it before any {@link put}.
   *
   * @param used - the hashes to which records refer
   * @throws {StoreError} `store_corrupt` for bytes that are missing or damaged
   */
  async check(used: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const isOurs = HASH.test(name) || name.endsWith(INCOMING);
      if (isOurs && !used.has(name)) await rm(join(this.#folder, name));
    }
    for (const sha256 of used) {
      const hashed = createHash('sha256');
      const problem = await pipeline(this.read(sha256), hashed).then(
        () => (hashed.digest('hex') === sha256 ? null : 'is damaged'),
        (error: unknown) => `cannot be read (${String(error)})`,
      );
      if (problem !== null) throw damaged(this.pathOf(sha256), problem);
    }
  }

  async close(): Promise<void> {
    if (!this.#isTemporary) return;
    // A request that was cut off may still write.
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Returns the path of the bytes. Checks the hash, because it becomes the name of a file. */
  pathOf(sha256: string): string {
    if (HASH.test(sha256)) return this.#shipped.get(sha256) ?? join(this.#folder, sha256);
    throw new TypeError(`sha256 must be 64 lower-case hex digits, got ${sha256}.`);
  }
}

/** The source has more bytes than the limit of {@link Blobs.put}. */
export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge';
  readonly code = 'blob_too_large';

  constructor(limitBytes: number) {
    super(`The source has more than ${limitBytes} bytes.`);
  }
}

function damaged(path: string, problem: string): StoreError {
  const message = `The content of a file ${problem}: ${path}. Restore the folder from a backup, or use another folder.`;
  return new StoreError('store_corrupt', message);
}
