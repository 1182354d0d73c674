import { hash } from 'node:crypto';
import { createReadStream, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { StoredFile } from '../../store/datasets.ts';
import type { Blobs } from '../../store/blobs.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
};

/** The folder with the sample data and its assets. */
export const WORLD_FOLDER: URL = new URL('../../../world/', import.meta.url);
const FOLDER = fileURLToPath(new URL('assets/', WORLD_FOLDER));

/** Every asset by the hash of its bytes. */
export const ASSETS: ReadonlyMap<string, StoredFile> = new Map(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => extname(name) !== '')
    .map((name) => readAsset(join(FOLDER, name)))
    .map((asset) => [asset.sha256, asset]),
);

/** The path of every asset by the hash of its bytes. */
export const ASSET_PATHS: ReadonlyMap<string, string> = new Map(
  [...ASSETS.values()].map(({ sha256, path }) => [sha256, path]),
);

/** Stores the bytes of every asset that is not there. Call it once at start, before a world is created. */
export async function putAssets(blobs: Blobs): Promise<void> {
  await Promise.all(
    [...ASSETS.values()].map(async ({ path, size, sha256 }) => {
      if (!(await blobs.has(sha256))) await blobs.put(createReadStream(path), size);
    }),
  );
}

function readAsset(path: string): StoredFile {
  const contentType = CONTENT_TYPES[extname(path)];
  if (contentType === undefined) throw new Error(`Asset "${path}" has an unknown extension.`);
  const bytes = readFileSync(path);
  return { path, contentType, size: bytes.length, sha256: hash('sha256', bytes) };
}
