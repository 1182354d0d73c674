import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';

import { expect, onTestFinished, test } from 'vitest';

import { Blobs } from '../../../../server-reference/src/store/blobs.ts';
import { ASSETS, putAssets } from '../../../../server-reference/src/lab/world/assets.ts';

const assets = [...ASSETS.values()];

test('assets are stored under the hash of their bytes, and can be put twice', async () => {
  const blobs = await Blobs.openTemporary();
  onTestFinished(() => blobs.close());
  await putAssets(blobs);
  await putAssets(blobs);
  for (const { sha256, size } of assets) {
    const bytes = await buffer(blobs.read(sha256));
    expect(bytes).toHaveLength(size);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  }
});

test('assets have the same bytes on every machine', () => {
  const hashes = assets.map(({ sha256 }) => sha256).toSorted();
  const all = createHash('sha256').update(hashes.join()).digest('hex');
  expect(all).toMatchInlineSnapshot(
    `"7ceffbff0f3e142e27a3a7e5d90c149458e0aaa4ca69077e995f8f009a95d19f"`,
  );
});

function ofType(type: string): Buffer[] {
  return assets.filter(({ contentType }) => contentType === type).map(({ bytes }) => bytes);
}

test('the cross-reference table of each PDF has the offset of each object', () => {
  const files = ofType('application/pdf').map((bytes) => bytes.toString('latin1'));
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]);
    expect(file.slice(table, table + 9)).toBe('xref\n0 6\n');
    const offsets = [...file.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) =>
      Number(at),
    );
    expect(offsets.map((at) => file.slice(at, at + 7))).toEqual(
      [1, 2, 3, 4, 5].map((number) => `${number} 0 obj`),
    );
    const [, length, content] = /<< \/Length (\d+) >>\nstream\n([^]*)\nendstream/.exec(file) ?? [];
    expect(content).toHaveLength(Number(length));
  }
});

test('the PNG has the number of pixels in its header', () => {
  const [file = Buffer.alloc(0)] = ofType('image/png');
  expect(file.subarray(1, 4).toString()).toBe('PNG');
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const data = file.subarray(41, 41 + file.readUInt32BE(33));
  expect(file.subarray(37, 41).toString()).toBe('IDAT');
  expect(inflateSync(data)).toHaveLength((width + 1) * height);
});

test('JSON and CSV files are well-formed', () => {
  for (const bytes of ofType('application/json')) JSON.parse(bytes.toString());
  for (const bytes of ofType('text/csv; charset=utf-8')) {
    const rows = bytes.toString().trimEnd().split('\r\n');
    expect(new Set(rows.map((row) => row.split(',').length)).size).toBe(1);
  }
});
