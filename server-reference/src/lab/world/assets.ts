import { hash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { extname, sep } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import type { StoredFile } from '../../store/datasets.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { FilesByPath } from './generated/seed-data.ts';
import { SEED_FOLDER } from './seed-data.ts';

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

const FOLDER = new URL('assets/', SEED_FOLDER);

const BY_NAME: ReadonlyMap<string, Asset> = new Map(
  readdirSync(fileURLToPath(FOLDER), { recursive: true, encoding: 'utf8' })
    .filter((path) => extname(path) !== '')
    .map((path) => path.replaceAll(sep, '/'))
    .map((name) => [name, readAsset(name)]),
);

/** Every asset by the hash of its bytes. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map(
  [...BY_NAME.values()].map((asset) => [asset.sha256, asset]),
);

/** Returns an asset by its path below `world/assets`. */
export function findAsset(name: string): Asset {
  const asset = BY_NAME.get(name);
  if (asset === undefined) throw new Error(`Seed data refers to an unknown asset "${name}".`);
  return asset;
}

/** Returns what a record stores of its files, ordered by path. */
export function storedFiles(files: FilesByPath): StoredFile[] {
  return Object.entries(files)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, name]) => {
      const { contentType, size, sha256 } = findAsset(name);
      return { path, contentType, size, sha256 };
    });
}

/**
 * Stores the bytes of every asset. Call it once at start, before a world is created. Exempt the hashes in
 * `ASSETS` from sweeps, because later worlds refer to them again.
 */
export async function putAssets(blobs: Blobs): Promise<void> {
  await Promise.all(
    [...ASSETS.values()].map(async ({ bytes, size, sha256 }) => {
      if (await blobs.has(sha256)) return;
      await blobs.put(Readable.from([bytes]), size);
      blobs.release(sha256);
    }),
  );
}

function readAsset(name: string): Asset {
  const contentType = CONTENT_TYPES[extname(name)];
  if (contentType === undefined) throw new Error(`Asset "${name}" has an unknown extension.`);
  const bytes = readFileSync(new URL(name, FOLDER));
  return { contentType, size: bytes.length, sha256: hash('sha256', bytes), bytes };
}
