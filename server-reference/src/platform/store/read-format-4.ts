import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Logger } from '../logger.ts';
import type { LargeValueSource } from '../state/large-value.ts';
import type { StoredState } from '../state/state.ts';
import { upgradeRecord } from '../state/upgrade.ts';
import { damaged } from './lines.ts';
import { scanJson } from './scan-json.ts';
import { isTableName, StateReader } from './stored-record.ts';
import { StoreError } from './store.ts';

const FILE = 'state.json';
const BACKUP = 'state.json.bak';

/** The files of a folder of format 4. They are removed when a snapshot has everything in them. */
export const FORMER_FILES: readonly string[] = [FILE, BACKUP, 'state.json.tmp'];

/**
 * Reads a folder of format 4. Its backup is the state before the last flush; it is used when the newer file
 * is damaged, which is then kept as `state.json.damaged`, or when a kill left only the backup.
 *
 * @returns null for a folder without such a state
 * @throws {StoreError} `store_corrupt`, `store_unsupported_format` or `store_unusable_folder`
 */
export async function readFormat4(
  folder: string,
  values: LargeValueSource,
  logger: Logger,
): Promise<StoredState | null> {
  const [file, backup] = [join(folder, FILE), join(folder, BACKUP)];
  if (!(await exists(file))) return (await exists(backup)) ? readState(backup, values) : null;
  try {
    return await readState(file, values);
  } catch (error) {
    const isDamaged = error instanceof StoreError && error.code === 'store_corrupt';
    if (!isDamaged || !(await exists(backup))) throw error;
    const state = await readState(backup, values);
    logger.warn(`${error.message} Restored ${backup}; the last writes may be missing.`);
    await rename(file, `${file}.damaged`);
    return state;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return false;
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): StoreError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(
    'store_unusable_folder',
    `${path} cannot be read (${why}); nothing was changed. Fix the file, or use an empty folder.`,
    { cause },
  );
}

/** Reads the members of the state one by one, because the file may be larger than a string can be. */
async function readState(path: string, values: LargeValueSource): Promise<StoredState> {
  const reader = new StateReader(values);
  reader.format = 4;
  const others: Record<string, unknown> = {};
  const refuse = (offset: number, misfit: string | null): void => {
    if (misfit !== null) throw damaged(path, offset, misfit);
  };
  try {
    for await (const { keys, offset, bytes } of scanJson(path, isTableName)) {
      const [name = '', id] = keys;
      // Indexes replace them.
      if (name === 'listed' || name === 'datasets') continue;
      const value = parse(path, offset, bytes);
      if (name === 'format') refuseOtherFormat(path, value);
      if (id === undefined) others[name] = value;
      else refuse(offset, readRecord(reader, name, id, value));
    }
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? unreadable(path, error) : error;
  }
  if (!Object.hasOwn(others, 'format')) throw damaged(path, 0, 'it is not a state');
  refuse(0, reader.singles(others));
  refuse(0, reader.finish());
  return reader.state;
}

function readRecord(reader: StateReader, name: string, id: string, value: unknown): string | null {
  const record = typeof value === 'object' && value !== null ? value : {};
  if (isTableName(name)) upgradeRecord(name, record);
  const misfit = reader.record(name, record);
  return misfit && `${misfit} in record ${id} of ${name}`;
}

function parse(path: string, offset: number, bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw damaged(path, offset, 'it is not complete JSON', cause);
  }
}

function refuseOtherFormat(path: string, format: unknown): void {
  if (format === 4) return;
  throw new StoreError(
    'store_unsupported_format',
    `${path} must have format 4, got ${JSON.stringify(format)}. Use the release that wrote it, or an empty folder.`,
  );
}
