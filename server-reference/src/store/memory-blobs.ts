import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { BlobMissing, BlobTooLarge } from './blobs.ts';
import type { Blobs } from './blobs.ts';
import { SweepHolds } from './sweep-holds.ts';

/** Bytes that are forgotten when the process ends. */
export function createMemoryBlobs(): Blobs {
  const stored = new Map<string, Buffer>();
  const holds = new SweepHolds();
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
    async open(sha256, range) {
      const bytes = stored.get(sha256);
      if (bytes === undefined) throw new BlobMissing(sha256);
      return Readable.from([
        range === undefined ? bytes : bytes.subarray(range.start, range.end + 1),
      ]);
    },
    sweep: (readNames) =>
      holds.duringSweep(async () => {
        const loose = [...stored.keys()].filter((sha256) => !holds.has(sha256));
        if (loose.length === 0) return;
        const names = await readNames();
        for (const sha256 of loose) {
          if (!names.has(sha256) && !holds.has(sha256)) stored.delete(sha256);
        }
      }),
  };
}
