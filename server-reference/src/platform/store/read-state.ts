import { readFile } from 'node:fs/promises';

import { emptyState, STATE_FORMAT } from '../state/state.ts';
import type { State } from '../state/state.ts';
import { StoreError } from './store.ts';

/** The content of a data file; `why` is the reason that it is unusable. */
export type Reading =
  | { readonly kind: 'state'; readonly state: State }
  | { readonly kind: 'missing' }
  | { readonly kind: 'bad'; readonly why: string };

/**
 * Reads and checks a data file.
 *
 * @throws {StoreError} `store_unusable_folder` or `store_unsupported_format`
 */
export async function readState(path: string): Promise<Reading> {
  const bytes = await readBytes(path);
  if (bytes === null) return { kind: 'missing' };
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return { kind: 'bad', why: 'it is not complete JSON' };
  }
  if (typeof value !== 'object' || value === null || !('format' in value)) {
    return { kind: 'bad', why: 'it is not a state' };
  }
  if (value.format !== STATE_FORMAT) {
    throw new StoreError(
      'store_unsupported_format',
      `${path} must have format ${STATE_FORMAT}, got ${JSON.stringify(value.format)}. Use the release that wrote it, or an empty folder.`,
    );
  }
  const misfit = findMisfit(value, emptyState(0, ''), 'state');
  if (misfit !== null) return { kind: 'bad', why: `${misfit} is missing or has another type` };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the records are our own writing
  return { kind: 'state', state: value as State };
}

async function readBytes(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError(
      'store_unusable_folder',
      `${path} cannot be read (${why}); nothing was changed. Fix the file, or use an empty folder.`,
      { cause },
    );
  }
}

/** Returns the path of the first missing or mistyped part of a state, or null. Does not check records. */
function findMisfit(value: unknown, pattern: unknown, path: string): string | null {
  if (pattern === null) return null;
  if (typeof value !== typeof pattern || value === null || Array.isArray(value)) return path;
  for (const [name, inner] of Object.entries(Object(pattern))) {
    const misfit = findMisfit(Reflect.get(Object(value), name), inner, `${path}.${name}`);
    if (misfit !== null) return misfit;
  }
  return null;
}
