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
 * The state in `state.json`, written so that a kill or a power cut at any moment leaves a whole file:
 * into `state.json.tmp`, synced, the old file kept as `state.json.bak`, renamed into place, and the
 * folder synced. Reading falls back to the backup, and says so.
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
        `${this.#file} cannot be used (${why}): went back to ${this.#backup}, so the last writes may be missing`,
      );
      if (file.kind === 'bad') await rename(this.#file, `${this.#file}.damaged`);
      return backup.state;
    }
    if (file.kind === 'missing' && backup.kind === 'missing') return null;
    throw new StoreError(
      'store_corrupt',
      `neither ${this.#file} (${explain(file)}) nor ${this.#backup} (${explain(backup)}) can be used; nothing was changed: put a good copy back, or name an empty folder`,
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

/** A new name in a folder is durable only once the folder is; Windows has no way to ask for it. */
export async function syncFolder(folder: string): Promise<void> {
  if (platform() === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
