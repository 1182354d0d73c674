import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';

/** A file of the dashboard. */
export interface Asset {
  readonly type: string;
  /** Its `ETag`. */
  readonly tag: string;
  readonly content: Buffer;
}

/** The build creates it. The path is the same from `src` and from `dist`. */
const FOLDER = new URL('../../../dist/dashboard/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads the files of the dashboard, by name. Empty if it was not built. */
export async function readAssets(): Promise<ReadonlyMap<string, Asset>> {
  const names = await readdir(FOLDER).catch(() => []);
  const assets = names.flatMap((name) => {
    const type = TYPES[extname(name)];
    return type === undefined ? [] : [readAsset(name, type)];
  });
  return new Map(await Promise.all(assets));
}

async function readAsset(name: string, type: string): Promise<[string, Asset]> {
  const content = await readFile(new URL(name, FOLDER));
  const tag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  return [name, { type, tag, content }];
}
