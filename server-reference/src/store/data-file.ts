import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname } from 'node:path';

import type { Adapter } from 'lowdb';

import { isRecord } from '../json.ts';
import type { FolderLock } from './folder-lock.ts';
import { findInvalidMember } from './record-members.ts';
import type { StoredState } from './state.ts';
import { StoreError } from './store.ts';

/** The version of the data file. */
const DATA_FORMAT = 9;

/**
 * The data file as a lowdb adapter: JSON with one record a line. Each write replaces the whole file by one rename, and
 * is on the disk when it resolves.
 */
export class DataFile implements Adapter<StoredState> {
  readonly #path: string;
  readonly #initial: StoredState;
  readonly #lock: FolderLock;

  /**
   * @param initial - the state without a file; what the file has is read into it
   * @param lock - is checked before each write
   */
  constructor(path: string, initial: StoredState, lock: FolderLock) {
    this.#path = path;
    this.#initial = initial;
    this.#lock = lock;
  }

  /** @throws {StoreError} `store_corrupt` or `store_unsupported_format` */
  async read(): Promise<StoredState | null> {
    const text = await readFile(this.#path, 'utf8').catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    if (text === undefined) return null;
    readInto(this.#initial, text, this.#path);
    this.#initial.fileBytes = Buffer.byteLength(text);
    return this.#initial;
  }

  /** The state becomes text before anything else happens, so that later commits do not change it. */
  async write(state: StoredState): Promise<void> {
    const bytes = Buffer.from(textOf(state));
    const temporary = `${this.#path}.tmp`;
    await this.#lock.check();
    try {
      await writeFile(temporary, bytes, { mode: 0o600, flush: true });
      await rename(temporary, this.#path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncFolder(dirname(this.#path));
    state.fileBytes = bytes.length;
  }
}

/** Returns whether an error says that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Makes the names in a folder durable. Windows cannot, and does not need it. */
export async function syncFolder(folder: string): Promise<void> {
  if (platform() === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function textOf({ ids, controlToken, defaultWorldId, tables }: StoredState): string {
  const members = Object.entries({ format: DATA_FORMAT, ids, controlToken, defaultWorldId });
  const lines = members.map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  for (const [name, table] of Object.entries(tables)) {
    const records = [...table.json()];
    lines.push(`"${name}": [${records.length === 0 ? '' : `\n${records.join(',\n')}\n`}]`);
  }
  return `{\n${lines.join(',\n')}\n}\n`;
}

function readInto(state: StoredState, text: string, path: string): void {
  const content = parse(text, path);
  const { format, ids, controlToken, defaultWorldId } = content;
  if (format !== DATA_FORMAT) throw unsupported(path, `format ${JSON.stringify(format)}`);
  const { seed, drawn }: { seed?: unknown; drawn?: unknown } = isRecord(ids) ? ids : {};
  if (typeof seed !== 'number' || typeof drawn !== 'number') throw damaged(path, 'ids');
  if (typeof controlToken !== 'string') throw damaged(path, 'controlToken');
  Object.assign(state, { ids: { seed, drawn }, controlToken, defaultWorldId });
  for (const [name, table] of Object.entries(state.tables)) {
    const records = content[name];
    if (!Array.isArray(records)) throw damaged(path, name);
    for (const [index, record] of records.entries()) {
      const invalid = findInvalidMember(name, record);
      if (invalid !== null) throw damaged(path, `${name}[${index}].${invalid}`);
      table.add(record);
    }
  }
  if (
    defaultWorldId !== null &&
    state.worlds.find(({ id }) => id === defaultWorldId) === undefined
  ) {
    throw damaged(path, 'defaultWorldId');
  }
}

function parse(text: string, path: string): Readonly<Record<string, unknown>> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw damaged(path, `line ${invalidLine(text)}`, cause);
  }
  if (!isRecord(content)) throw damaged(path, 'line 1');
  return content;
}

/**
 * Returns the number of the first line with which the text cannot be the beginning of JSON; without one, of the last:
 * the file was cut off. Some errors of JSON.parse have no position, so the line is searched by halves.
 */
function invalidLine(text: string): number {
  const lines = text.trimEnd().split('\n');
  let [first, last] = [1, lines.length];
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    if (isBeginning(`${lines.slice(0, middle).join('\n')}\n`)) first = middle + 1;
    else last = middle;
  }
  return first;
}

/** Whether JSON.parse fails, if at all, only because nothing follows. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = String(error);
    return message.includes('end of JSON input') || message.includes(`at position ${text.length}`);
  }
}

function damaged(path: string, place: string, cause?: unknown): StoreError {
  return new StoreError(
    'store_corrupt',
    `The data file ${path} is damaged at ${place}. Repair it, or restore the folder from a backup.`,
    { cause },
  );
}

export function unsupported(path: string, found: string): StoreError {
  return new StoreError(
    'store_unsupported_format',
    `${path} must have format ${DATA_FORMAT}, got ${found}. Another version of this server wrote it: use that version, or another folder.`,
  );
}
