import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

import { decoded } from '../../../conformance/src/wire/decode.ts';

const TEXT = Buffer.from('{"name":"Zoë"}');

function response(coding: string, bytes: Uint8Array) {
  return { status: 200, headers: [['Content-Encoding', coding]] as const, bytes };
}

describe('a content coding that nobody asked for', () => {
  test.each([
    ['gzip', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['identity', TEXT],
    ['GZIP, br', brotliCompressSync(gzipSync(TEXT))],
  ])('%s is decoded, and its header is left out', async (coding, bytes) => {
    const { headers, bytes: found } = await decoded(response(coding, bytes));
    expect(Buffer.from(found).toString()).toBe(TEXT.toString());
    expect(headers).toEqual([]);
  });

  test('an unknown one is named', async () => {
    await expect(decoded(response('snappy', TEXT))).rejects.toThrow(
      'content-encoding snappy, which the suite did not ask for and cannot read',
    );
  });

  test('a wrong one is named', async () => {
    await expect(decoded(response('gzip', TEXT))).rejects.toThrow(
      'content-encoding gzip, but its bytes are not gzip',
    );
  });

  test('more than 8 MiB of decompressed bytes are not read', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024 + 1));
    await expect(decoded(response('gzip', bomb))).rejects.toThrow(
      'larger than 8388608 bytes when decompressed',
    );
  });
});
