import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { BlobMissing, BlobTooLarge } from './blobs.ts';
import type { Blobs } from './blobs.ts';

/** Bytes that are forgotten when the process ends. */
export function createMemoryBlobs(): Blobs {
  const stored = new Map<string, Buffer>();
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
      stored.set(sha256, bytes);
      return { size, sha256 };
    },
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
    async sweep(isNamed) {
      for (const sha256 of stored.keys()) if (!isNamed(sha256)) stored.delete(sha256);
    },
  };
}
