import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { BlobMissing, BlobTooLarge } from './blobs.ts';
import type { Blobs, ByteRange, StoredBytes } from './blobs.ts';
import { StoreError } from './store.ts';
import { SweepHolds } from './sweep.ts';

/** What blobs in memory may have, with those that arrive. */
export const MAX_MEMORY_BLOB_BYTES = 2_147_483_648;
/** What each one costs beside its bytes. */
const BLOB_OVERHEAD_BYTES = 512;

/**
 * Creates blobs in memory. They are lost when the process ends.
 *
 * @param maxBytes - what they may have together
 */
export function createMemoryBlobs(maxBytes: number = MAX_MEMORY_BLOB_BYTES): Blobs {
  const stored = new Map<string, Buffer>();
  const holds = new SweepHolds();
  const room = new Room(maxBytes);
  const part = ({ sha256 }: StoredBytes, range?: ByteRange): Buffer => {
    const bytes = stored.get(sha256);
    if (bytes === undefined) throw new BlobMissing(sha256);
    return range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
  };
  return {
    async put(source, limitBytes) {
      const chunks: Uint8Array[] = [];
      let size = 0;
      let taken = 0;
      try {
        taken += await room.take(BLOB_OVERHEAD_BYTES);
        for await (const chunk of source) {
          size += chunk.length;
          if (size > limitBytes) throw new BlobTooLarge(limitBytes);
          taken += await room.take(chunk.length);
          chunks.push(chunk);
        }
        const bytes = Buffer.concat(chunks);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        holds.take(sha256);
        if (!stored.has(sha256)) {
          stored.set(sha256, bytes);
          taken = 0;
        }
        return { size, sha256 };
      } finally {
        room.give(taken);
      }
    },
    release: (sha256) => holds.release(sha256),
    async has(sha256) {
      return stored.has(sha256);
    },
    async read(bytes, range) {
      return part(bytes, range);
    },
    async open(bytes, range) {
      return Readable.from(pieces(part(bytes, range)));
    },
    async openUnchecked(bytes, range) {
      return Readable.from(pieces(part(bytes, range)));
    },
    sweep: (readHashes, flush) =>
      holds.duringSweep(async () => {
        const used = readHashes();
        const unused = [...stored.keys()].filter((hash) => !used.has(hash) && !holds.has(hash));
        if (unused.length === 0) return;
        await flush();
        for (const sha256 of unused) {
          if (holds.has(sha256)) continue;
          room.give(BLOB_OVERHEAD_BYTES + (stored.get(sha256)?.length ?? 0));
          stored.delete(sha256);
        }
      }),
    whenFull: (sweep) => room.makeBy(sweep),
  };
}

/** Counts the bytes that are stored or arrive. */
class Room {
  readonly #maxBytes: number;
  #takenBytes = 0;
  #sweep: () => Promise<void> = async () => {};

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  makeBy(sweep: () => Promise<void>): void {
    this.#sweep = sweep;
  }

  async take(bytes: number): Promise<number> {
    if (this.#takenBytes + bytes > this.#maxBytes) {
      await this.#sweep();
      this.#refuse(bytes);
    }
    this.#takenBytes += bytes;
    return bytes;
  }

  give(bytes: number): void {
    this.#takenBytes -= bytes;
  }

  #refuse(bytes: number): void {
    if (this.#takenBytes + bytes <= this.#maxBytes) return;
    throw new StoreError(
      'store_full',
      `Files in memory must have at most ${this.#maxBytes} bytes together. Delete files, or use a data folder.`,
    );
  }
}

const PIECE_BYTES = 65_536;

/** Splits a large buffer, because a stream with a slow reader would queue copies of the whole. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    yield bytes.subarray(start, start + PIECE_BYTES);
  }
}
