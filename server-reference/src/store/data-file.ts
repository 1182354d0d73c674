import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname } from 'node:path';

import type { Adapter } from 'lowdb';

import { isRecord } from '../json.ts';
import type { FolderLock } from './folder-lock.ts';
import type { State } from './state.ts';
import { StoreError } from './store.ts';

/** The version of the data file. */
const DATA_FORMAT = 10;

/**
 * The data file as a lowdb adapter: JSON with one record a line. Each write replaces the whole file by one rename, and
 * is on the disk when it resolves.
 */
export class DataFile implements Adapter<State> {
  readonly #path: string;
  readonly #initial: State;
  readonly #lock: FolderLock;

  /**
   * @param initial - the state without a file; what the file has is read into it
   * @param lock - is checked before each write
   */
  constructor(path: string, initial: State, lock: FolderLock) {
    this.#path = path;
    this.#initial = initial;
    this.#lock = lock;
  }

  /** @throws {StoreError} `store_corrupt` or `store_unsupported_format` */
  async read(): Promise<State | null> {
    const text = await readFile(this.#path, 'utf8').catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    if (text === undefined) return null;
    readInto(this.#initial, text, this.#path);
    this.#initial.fileBytes = Buffer.byteLength(text);
    return this.#initial;
  }

  /** The state becomes text before anything else happens, so that later commits do not change it. */
  async write(state: State): Promise<void> {
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

function textOf({ ids, controlToken, defaultWorldId, tables }: State): string {
  const members = Object.entries({ format: DATA_FORMAT, ids, controlToken, defaultWorldId });
  const lines = members.map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  for (const [name, table] of Object.entries(tables)) {
    const records = [...table.json()];
    lines.push(`"${name}": [${records.length === 0 ? '' : `\n${records.join(',\n')}\n`}]`);
  }
  return `{\n${lines.join(',\n')}\n}\n`;
}

function readInto(state: State, text: string, path: string): void {
  const content = parse(text, path);
  const { format, ids, controlToken, defaultWorldId } = content;
  if (format !== DATA_FORMAT) {
    const found = `format ${JSON.stringify(format)}`;
    throw new StoreError(
      'store_unsupported_format',
      `${path} must have format ${DATA_FORMAT}, got ${found}. Another version of this server wrote it: use that version, or another folder.`,
    );
  }
  Object.assign(state, { ids, controlToken, defaultWorldId });
  for (const [name, table] of Object.entries(state.tables)) {
    const records = content[name];
    if (!Array.isArray(records)) throw damaged(path, `it has no list "${name}"`);
    for (const [index, record] of records.entries()) {
      if (!isRecord(record)) throw damaged(path, `${name}[${index}] is no record`);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this server has written it
      table.add(record as never);
    }
  }
}

function parse(text: string, path: string): Readonly<Record<string, unknown>> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw damaged(path, String(cause), cause);
  }
  if (!isRecord(content)) throw damaged(path, 'it is no JSON object');
  return content;
}

function damaged(path: string, place: string, cause?: unknown): StoreError {
  return new StoreError(
    'store_corrupt',
    `The data file ${path} is damaged: ${place}. Repair it, or restore the folder from a backup.`,
    { cause },
  );
}
