import { open, rename } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';

import type { Adapter } from 'lowdb';

import type { Logger } from '../logger.ts';
import type { State } from '../state/state.ts';
import { readState } from './read-state.ts';
import type { Reading } from './read-state.ts';
import { stateSerialiser } from './serialise-state.ts';
import { StoreError } from './store.ts';

/**
 * Stores the state in `state.json`. After a kill or a power cut a complete file remains: a write goes to
 * `state.json.tmp` and is synced, the old file is renamed to `state.json.bak`, the new file is renamed, and
 * the folder is synced. A read falls back to the backup and logs a warning.
 */
export class DurableFile implements Adapter<State> {
  readonly #folder: string;
  readonly #file: string;
  readonly #backup: string;
  readonly #logger: Logger;
  readonly #serialise = stateSerialiser();

  constructor(folder: string, logger: Logger) {
    this.#folder = folder;
    this.#file = join(folder, 'state.json');
    this.#backup = `${this.#file}.bak`;
    this.#logger = logger;
  }

  async read(): Promise<State | null> {
    const file = await readState(this.#file);
    if (file.kind === 'state') return file.state;
    const backup = await readState(this.#backup);
    if (backup.kind === 'state') {
      const why = file.kind === 'bad' ? file.why : 'it is missing';
      this.#logger.warn(
        `${this.#file} is unusable (${why}). Restored ${this.#backup}; the last writes may be missing.`,
      );
      if (file.kind === 'bad') await rename(this.#file, `${this.#file}.damaged`);
      return backup.state;
    }
    if (file.kind === 'missing' && backup.kind === 'missing') return null;
    throw new StoreError(
      'store_corrupt',
      `${this.#file} (${explain(file)}) and ${this.#backup} (${explain(backup)}) are unusable; nothing was changed. Restore a good copy, or use an empty folder.`,
    );
  }

  async write(state: State): Promise<void> {
    const temporary = `${this.#file}.tmp`;
    const handle = await open(temporary, 'w', 0o600);
    try {
      const bytes = this.#serialise(state);
      for (let written = 0; written < bytes.length;) {
        written += (await handle.write(bytes, written)).bytesWritten;
      }
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(this.#file, this.#backup).catch(ignoreMissing);
    await rename(temporary, this.#file);
    await syncFolder(this.#folder);
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}

function explain(reading: Reading): string {
  return reading.kind === 'bad' ? reading.why : 'it is missing';
}

/** Makes new names in a folder durable. Does nothing on Windows, which cannot sync a folder. */
export async function syncFolder(folder: string): Promise<void> {
  if (platform() === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
