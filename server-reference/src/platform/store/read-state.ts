import { readFile } from 'node:fs/promises';

import { emptyState, STATE_FORMAT } from '../state/state.ts';
import type { State } from '../state/state.ts';
import { StoreError } from './store.ts';

/** What a data file holds; a bad one says why it cannot be used. */
export type Reading =
  | { readonly kind: 'state'; readonly state: State }
  | { readonly kind: 'missing' }
  | { readonly kind: 'bad'; readonly why: string };

/** @throws {StoreError} `store_unusable_folder` or `store_unsupported_format` */
export async function readState(path: string): Promise<Reading> {
  const bytes = await readBytes(path);
  if (bytes === null) return { kind: 'missing' };
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return { kind: 'bad', why: 'it is not whole JSON' };
  }
  if (typeof value !== 'object' || value === null || !('format' in value)) {
    return { kind: 'bad', why: 'it is not a state' };
  }
  if (value.format !== STATE_FORMAT) {
    throw new StoreError(
      'store_unsupported_format',
      `${path} has format ${JSON.stringify(value.format)}, but this release reads format ${STATE_FORMAT}; use the release that wrote it, or name an empty folder`,
    );
  }
  const misfit = findMisfit(value, emptyState(0, ''), 'state');
  if (misfit !== null) return { kind: 'bad', why: `its ${misfit} is missing or of another kind` };
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
      `${path} cannot be read (${why}); nothing was changed: put it right, or name an empty folder`,
      { cause },
    );
  }
}

/** The path of the first part that a state must have and this value has not; records are not looked into. */
function findMisfit(value: unknown, pattern: unknown, path: string): string | null {
  if (pattern === null) return null;
  if (typeof value !== typeof pattern || value === null || Array.isArray(value)) return path;
  for (const [name, inner] of Object.entries(Object(pattern))) {
    const misfit = findMisfit(Reflect.get(Object(value), name), inner, `${path}.${name}`);
    if (misfit !== null) return misfit;
  }
  return null;
}
