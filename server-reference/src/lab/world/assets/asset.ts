import { createHash } from 'node:crypto';

import type { StoredFile } from '../../../platform/state/datasets.ts';

/** A small real file, made in code: the same bytes on every machine. */
export interface Asset extends Omit<StoredFile, 'path'> {
  readonly bytes: Buffer;
}

export function asset(contentType: string, content: string | Buffer): Asset {
  const bytes = Buffer.from(content);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { contentType, size: bytes.length, sha256, bytes };
}

export function text(content: string): Asset {
  return asset('text/plain; charset=utf-8', `${content}\n`);
}

export function json(value: unknown): Asset {
  return asset('application/json', `${JSON.stringify(value, null, 2)}\n`);
}

/** Cells must not hold commas or quotes. */
export function csv(...rows: readonly (readonly (string | number)[])[]): Asset {
  return asset('text/csv; charset=utf-8', rows.map((cells) => `${cells.join(',')}\r\n`).join(''));
}

/** Assets by the path that they lie under. */
export type AssetsByPath = Readonly<Record<string, Asset>>;

/** As records hold them: ordered by path, without the bytes. */
export function storedFiles(assets: AssetsByPath): StoredFile[] {
  return Object.keys(assets)
    .toSorted()
    .flatMap((path) => storedFile(path, assets[path]));
}

function storedFile(path: string, file: Asset | undefined): StoredFile[] {
  if (file === undefined) return [];
  const { contentType, size, sha256 } = file;
  return [{ path, contentType, size, sha256 }];
}
