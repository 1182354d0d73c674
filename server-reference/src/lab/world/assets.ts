import { hash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { extname, sep } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import type { StoredFile } from '../../store/datasets.ts';
import type { Blobs } from '../../store/blobs.ts';

/** A file that worlds are seeded with. */
export interface Asset extends Omit<StoredFile, 'path'> {
  readonly bytes: Buffer;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
};

/** The folder with the sample data and its assets. */
export const WORLD_FOLDER: URL = new URL('../../../world/', import.meta.url);
const FOLDER = new URL('assets/', WORLD_FOLDER);

/** Every asset by the hash of its bytes. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map(
  readdirSync(fileURLToPath(FOLDER), { recursive: true, encoding: 'utf8' })
    .filter((path) => extname(path) !== '')
    .map((path) => readAsset(path.replaceAll(sep, '/')))
    .map((asset) => [asset.sha256, asset]),
);

/**
 * Stores the bytes of every asset. Call it once at start, before a world is created.
 */
export async function putAssets(blobs: Blobs): Promise<void> {
  await Promise.all(
    [...ASSETS.values()].map(async ({ bytes, size, sha256 }) => {
      if (await blobs.has(sha256)) return;
      await blobs.put(Readable.from([bytes]), size);
    }),
  );
}

function readAsset(name: string): Asset {
  const contentType = CONTENT_TYPES[extname(name)];
  if (contentType === undefined) throw new Error(`Asset "${name}" has an unknown extension.`);
  const bytes = readFileSync(new URL(name, FOLDER));
  return { contentType, size: bytes.length, sha256: hash('sha256', bytes), bytes };
}
