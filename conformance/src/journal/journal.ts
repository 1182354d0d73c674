import { randomUUID } from 'node:crypto';

import type { JournalStore } from '../options/journal-store.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import { readLines } from './undo.ts';
import type { JournalLine, Undo } from './undo.ts';

/** One change that is not undone yet. */
export interface JournalEntry {
  readonly undo: Undo;
  /** Replaces the entry when more is known, such as an id. */
  amend(undo: Undo): Promise<void>;
  /** The change is undone. */
  settle(): Promise<void>;
}

/** The entries of one attempt of a check, or of a run outside its checks. */
export interface JournalScope {
  /**
   * Resolves when the entry is durable: only then may the change be made. Throws `CouldNotRun`. With the owner `run`
   * the change outlives the attempt.
   */
  record(undo: Undo, owner?: 'attempt' | 'run'): Promise<JournalEntry>;
  /** Newest first, the order in which they are undone. */
  outstanding(): readonly JournalEntry[];
  /** Marks the worlds of the run. Resolves when an entry for them is durable. */
  worldLabel(): Promise<string>;
}

/** The changes of a run that are not undone yet. */
export class Journal implements JournalScope {
  readonly #store: JournalStore | null;
  readonly #open = new Map<string, JournalEntry>();
  #entries = 0;
  #written = false;
  #worldLabel: Promise<string> | undefined;

  /** Without a store the journal is kept in memory only. */
  constructor(store: JournalStore | null) {
    this.#store = store;
  }

  /** Reads what a run left behind. */
  static async reopen(store: JournalStore): Promise<Journal> {
    const journal = new Journal(store);
    const lines = readLines(await store.read());
    for (const line of lines) {
      if ('undone' in line) journal.#open.delete(line.id);
      else journal.#open.set(line.id, journal.#entry(line.id, line.undo));
    }
    journal.#entries = lines.length;
    journal.#written = true;
    return journal;
  }

  async record(undo: Undo): Promise<JournalEntry> {
    this.#entries += 1;
    const id = String(this.#entries);
    this.#written = true;
    await this.#append({ id, undo }, true).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CouldNotRun(
        `the journal of changes cannot be written: ${reason}`,
        'HOOKPROOF_JOURNAL with a folder that has free space',
      );
    });
    const entry = this.#entry(id, undo);
    this.#open.set(id, entry);
    return entry;
  }

  outstanding(): readonly JournalEntry[] {
    return [...this.#open.values()].toReversed();
  }

  worldLabel(): Promise<string> {
    this.#worldLabel ??= this.#labelWorlds();
    return this.#worldLabel;
  }

  /** A part of this journal with entries of its own. */
  scope(): JournalScope {
    const own = new Set<JournalEntry>();
    return {
      record: async (undo, owner = 'attempt') => {
        const entry = await this.record(undo);
        if (owner === 'attempt') own.add(entry);
        return entry;
      },
      outstanding: () => this.outstanding().filter((entry) => own.has(entry)),
      worldLabel: () => this.worldLabel(),
    };
  }

  /** Removes the store when every change is undone. One that remains has nothing to undo, and costs no report. */
  async close(): Promise<void> {
    if (this.#written && this.#open.size === 0) await this.#store?.remove().catch(() => {});
  }

  async #labelWorlds(): Promise<string> {
    const label = `hookproof-${randomUUID()}`;
    await this.record({ kind: 'worlds', label });
    return label;
  }

  #entry(id: string, first: Undo): JournalEntry {
    let undo = first;
    return {
      get undo() {
        return undo;
      },
      amend: (amended) => {
        undo = amended;
        return this.#note({ id, undo });
      },
      settle: () => {
        this.#open.delete(id);
        return this.#note({ id, undone: true });
      },
    };
  }

  /** A lost note does no harm: what is undone twice stays undone. */
  async #note(line: JournalLine): Promise<void> {
    await this.#append(line, false).catch(() => {});
  }

  async #append(line: JournalLine, durable: boolean): Promise<void> {
    await this.#store?.append(JSON.stringify(line), { durable });
  }
}
