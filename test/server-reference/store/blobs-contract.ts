import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Blobs } from '../../../server-reference/src/store/blobs.ts';

export async function* once(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function* broken(): AsyncGenerator<Buffer> {
  yield Buffer.from('half');
  throw new RangeError('gone');
}

const noNames = (): ReadonlySet<string> => new Set();
const settled = async (): Promise<void> => {};

/** The promises of every store of bytes; run once for each. */
export function blobsContract(name: string, open: () => Promise<Blobs>): void {
  describe(`${name} keep the promises of blobs`, () => {
    test('stored bytes are read back, in whole and in part, under their hash', async () => {
      const blobs = await open();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }),
          fc.nat(1000),
          fc.nat(1000),
          async (chunks, one, other) => {
            const whole = Buffer.concat(chunks);
            const stored = await blobs.put(once(...chunks), whole.length);
            const sha256 = createHash('sha256').update(whole).digest('hex');
            expect(stored).toEqual({ size: whole.length, sha256 });
            expect(await blobs.has(sha256)).toBe(true);
            expect(await buffer(await blobs.open(stored))).toEqual(whole);
            if (whole.length === 0) return;
            const [start = 0, end = 0] = [one, other]
              .map((at) => at % whole.length)
              .toSorted((a, b) => a - b);
            const part = await buffer(await blobs.open(stored, { start, end }));
            expect(part).toEqual(whole.subarray(start, end + 1));
          },
        ),
        { numRuns: 40 },
      );
    });

    test('a put of too many bytes leaves nothing', async () => {
      const blobs = await open();
      await expect(blobs.put(once('four', 'more'), 7)).rejects.toMatchObject({
        name: 'BlobTooLarge',
        code: 'blob_too_large',
        message: 'The source has more than 7 bytes.',
      });
      expect(await blobs.has(hashOf('fourmore'))).toBe(false);
      expect(await blobs.put(once('four', 'more'), 8)).toMatchObject({ size: 8 });
    });

    test('an error of the source reaches the caller, and nothing is kept', async () => {
      const blobs = await open();
      await expect(blobs.put(broken(), 100)).rejects.toThrow(RangeError);
      expect(await blobs.has(hashOf('half'))).toBe(false);
    });

    test('unknown bytes cannot be opened', async () => {
      const blobs = await open();
      await expect(blobs.open({ size: 5, sha256: hashOf('never') })).rejects.toMatchObject({
        code: 'blob_missing',
      });
    });

    test('a sweep removes exactly the bytes that are neither named nor held', async () => {
      const blobs = await open();
      const named = await blobs.put(once('named'), 10);
      const loose = await blobs.put(once('loose'), 10);
      const held = await blobs.put(once('held'), 10);
      blobs.release(named.sha256);
      blobs.release(loose.sha256);
      await blobs.sweep(() => new Set([named.sha256]), settled);
      expect(await blobs.has(named.sha256)).toBe(true);
      expect(await blobs.has(loose.sha256)).toBe(false);
      expect(await blobs.has(held.sha256)).toBe(true);
    });

    test('equal bytes are held once for each put', async () => {
      const blobs = await open();
      const { sha256 } = await blobs.put(once('twice'), 10);
      await blobs.put(once('twice'), 10);
      blobs.release(sha256);
      await blobs.sweep(noNames, settled);
      expect(await blobs.has(sha256)).toBe(true);
      blobs.release(sha256);
      await blobs.sweep(noNames, settled);
      expect(await blobs.has(sha256)).toBe(false);
    });

    test('no work remains while nothing could be removed', async () => {
      const blobs = await open();
      await blobs.put(once('held'), 10);
      const { sha256 } = await blobs.put(once('named'), 10);
      blobs.release(sha256);
      const names = new Set([sha256]);
      await blobs.sweep(
        () => names,
        () => Promise.reject(new Error('names requested')),
      );
    });

    test('bytes and their ranges can be read at once', async () => {
      const blobs = await open();
      const stored = await blobs.put(once('0123456789'), 10);
      expect(String(await blobs.read(stored))).toBe('0123456789');
      expect(String(await blobs.read(stored, { start: 2, end: 4 }))).toBe('234');
      const unknown = { size: 7, sha256: hashOf('unknown') };
      await expect(blobs.read(unknown)).rejects.toMatchObject({ code: 'blob_missing' });
    });

    test('bytes that are put again during a sweep stay, although its names are older', async () => {
      const blobs = await open();
      const { sha256 } = await blobs.put(once('again'), 10);
      blobs.release(sha256);
      await blobs.sweep(noNames, async () => {
        await blobs.put(once('again'), 10);
        blobs.release(sha256);
      });
      expect(await blobs.has(sha256)).toBe(true);
      await blobs.sweep(noNames, settled);
      expect(await blobs.has(sha256)).toBe(false);
    });

    test('bytes that are put again beside a sweep exist when put resolves', async () => {
      const blobs = await open();
      for (let round = 0; round < 30; round += 1) {
        const { sha256 } = await blobs.put(once('beside'), 10);
        blobs.release(sha256);
        const sweep = blobs.sweep(noNames, settled);
        for (let turn = 0; turn < round; turn += 1) await Promise.resolve();
        await blobs.put(once('beside'), 10);
        expect(await blobs.has(sha256)).toBe(true);
        await sweep;
        expect(await blobs.has(sha256)).toBe(true);
        blobs.release(sha256);
      }
    });
  });
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
