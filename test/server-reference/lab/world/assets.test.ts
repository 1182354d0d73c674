import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';

import { expect, test } from 'vitest';

import { Blobs } from '../../../../server-reference/src/store/blobs.ts';
import { ASSETS, putAssets } from '../../../../server-reference/src/lab/world/assets.ts';
import { emptyFolder } from '../../../empty-folder.ts';

const assets = [...ASSETS.values()];

test('assets are stored under the hash of their bytes, and can be put twice', async () => {
  const blobs = await Blobs.open(emptyFolder());
  await putAssets(blobs);
  await putAssets(blobs);
  for (const { sha256, size } of assets) {
    const bytes = await buffer(blobs.read(sha256));
    expect(bytes).toHaveLength(size);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  }
});

/** PDF, PNG, CSV and JSON that a program has read; other bytes are to be read again. */
test('assets have the same bytes on every machine', () => {
  const hashes = assets.map(({ sha256 }) => sha256).toSorted();
  const all = createHash('sha256').update(hashes.join()).digest('hex');
  expect(all).toMatchInlineSnapshot(
    `"7ceffbff0f3e142e27a3a7e5d90c149458e0aaa4ca69077e995f8f009a95d19f"`,
  );
});
