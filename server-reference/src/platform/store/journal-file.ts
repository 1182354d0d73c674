import { statSync, writeSync } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

import { STATE_FORMAT } from '../state/state.ts';
import { checkedLine } from './lines.ts';

/** The first line of every journal. */
export const JOURNAL_LINE: string = journalLine(STATE_FORMAT);

/** Returns the first line of a journal of a format. Its length is the same for all. */
export function journalLine(format: number): string {
  return checkedLine(JSON.stringify(['journal', format]));
}

/** The first line of a batch: how many lines and bytes follow. */
export function batchLine(count: number, bytes: number): string {
  const text = `batch ${count} ${bytes}`;
  return `${text} ${crc32(text).toString(16).padStart(8, '0')}\n`;
}

const PIECE_CHARACTERS = 1_048_576;

/** A journal that is open for more batches. Its file stays open, so a write needs no free descriptor. */
export class JournalFile {
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #identity: { readonly dev: bigint; readonly ino: bigint };
  /** The end of the last whole batch. */
  #bytes: number;
  /** Whether bytes after the last whole batch may exist. */
  #isRagged = false;

  private constructor(
    path: string,
    handle: FileHandle,
    identity: { dev: bigint; ino: bigint },
    bytes: number,
  ) {
    this.path = path;
    this.#handle = handle;
    this.#identity = identity;
    this.#bytes = bytes;
  }

  /**
   * Creates an empty journal, in place of one that was never used. The caller syncs the folder. After an error
   * there is no file.
   */
  static async create(path: string): Promise<JournalFile> {
    const handle = await open(path, 'w+', 0o600);
    try {
      await handle.writeFile(JOURNAL_LINE);
      await handle.datasync();
      return await JournalFile.#of(path, handle, JOURNAL_LINE.length);
    } catch (error) {
      await handle.close();
      await unlink(path);
      throw error;
    }
  }

  /** Opens a journal and cuts it at the end of its last whole batch. */
  static async reopen(path: string, bytes: number): Promise<JournalFile> {
    const handle = await open(path, 'r+');
    try {
      if (bytes === 0) await handle.write(JOURNAL_LINE, 0);
      const end = Math.max(bytes, JOURNAL_LINE.length);
      await handle.truncate(end);
      await handle.datasync();
      return await JournalFile.#of(path, handle, end);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  static async #of(path: string, handle: FileHandle, bytes: number): Promise<JournalFile> {
    return new JournalFile(path, handle, await handle.stat({ bigint: true }), bytes);
  }

  /** Whether a batch that failed could not be cut off, so that the next start may find it. */
  get isRagged(): boolean {
    return this.#isRagged;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Throws if another file has the name of this one: what is appended would be lost after a restart. */
  check(): void {
    const { dev, ino } = statSync(this.path, { bigint: true });
    if (dev === this.#identity.dev && ino === this.#identity.ino) return;
    throw new Error(`${this.path} was replaced by another file`);
  }

  /**
   * Appends changes as one batch and syncs it. After an error the batch does not count: what was written of it is
   * cut off at once, or by the next call if the disk refuses that too.
   */
  async append(changes: readonly string[]): Promise<void> {
    if (this.#isRagged) await this.#handle.truncate(this.#bytes);
    this.#isRagged = true;
    let end = this.#bytes;
    try {
      for (const piece of batchOf(changes)) end += this.#write(Buffer.from(piece), end);
      await this.#handle.datasync();
    } catch (error) {
      await this.#cut();
      throw error;
    }
    this.#bytes = end;
    this.#isRagged = false;
  }

  /** A whole batch that failed at its sync would come back after a kill. */
  async #cut(): Promise<void> {
    try {
      await this.#handle.truncate(this.#bytes);
      this.#isRagged = false;
    } catch {
      // The next call tries again.
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  /** Only copies to the memory of the system, which takes less than to ask another thread. The sync waits for the disk. */
  #write(piece: Buffer, position: number): number {
    for (let written = 0; written < piece.length;) {
      const left = piece.length - written;
      written += writeSync(this.#handle.fd, piece, written, left, position + written);
    }
    return piece.length;
  }
}

/** Returns the text of a batch in pieces. A small batch is one piece, because each takes a write. */
function batchOf(changes: readonly string[]): string[] {
  const pieces: string[] = [];
  let piece = '';
  let size = 0;
  for (const change of changes) {
    const line = checkedLine(change);
    size += Buffer.byteLength(line);
    piece += line;
    if (piece.length < PIECE_CHARACTERS) continue;
    pieces.push(piece);
    piece = '';
  }
  const [first, ...others] = [...pieces, piece];
  return [batchLine(changes.length, size) + first, ...others];
}
