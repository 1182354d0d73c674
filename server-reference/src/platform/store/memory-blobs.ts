import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { BlobMissing, BlobTooLarge } from './blobs.ts';
import type { Blobs, ByteRange } from './blobs.ts';
import { SweepHolds } from './sweep.ts';

/** Creates blobs in memory. They are lost when the process ends. */
export function createMemoryBlobs(): Blobs {
  const stored = new Map<string, Buffer>();
  const holds = new SweepHolds();
  const part = (sha256: string, range?: ByteRange): Buffer => {
    const bytes = stored.get(sha256);
    if (bytes === undefined) throw new BlobMissing(sha256);
    return range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
  };
  return {
    async put(source, limitBytes) {
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of source) {
        size += chunk.length;
        if (size > limitBytes) throw new BlobTooLarge(limitBytes);
        chunks.push(chunk);
      }
      const bytes = Buffer.concat(chunks);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      holds.take(sha256);
      stored.set(sha256, bytes);
      return { size, sha256 };
    },
    release: (sha256) => holds.release(sha256),
    async has(sha256) {
      return stored.has(sha256);
    },
    async read(sha256, range) {
      return part(sha256, range);
    },
    async open(sha256, range) {
      return Readable.from(pieces(part(sha256, range)));
    },
    sweep: (readNames, settle) =>
      holds.duringSweep(async () => {
        const hashes = [...stored.keys()];
        const names = readNames();
        const unused = hashes.filter((sha256) => !names.has(sha256) && !holds.has(sha256));
        if (unused.length === 0) return;
        await settle();
        for (const sha256 of unused) if (!holds.has(sha256)) stored.delete(sha256);
      }),
  };
}

const PIECE_BYTES = 65_536;

/** Splits a large buffer, because a stream with a slow reader would queue copies of the whole. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    yield bytes.subarray(start, start + PIECE_BYTES);
  }
}
