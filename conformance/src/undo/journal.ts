import { randomUUID } from 'node:crypto';
import type { Limits } from '@hookproof/spec/control';

import type { Outgoing } from '../http/message.ts';
import type { JournalStore } from '../options/journal-store.ts';
import { CouldNotRun } from '../verdict/findings.ts';
import { Resources } from './resources.ts';
import type { Written } from './resources.ts';
import { readLines } from './undo.ts';
import type { JournalEntry, JournalLine, Restoration, Undo } from './undo.ts';

/** The entries of one attempt of a check, or of a run outside its checks. */
export interface JournalScope {
  /**
   * Resolves when the entry is durable: only then may the change be made. Throws `CouldNotRun`. With the owner `run`
   * the change outlives the attempt.
   */
  record(undo: Undo, owner?: 'attempt' | 'run'): Promise<JournalEntry>;
  /** Newest first. */
  outstanding(): readonly JournalEntry[];
  /** Marks the worlds of the run. Resolves when an entry for them is durable. */
  worldLabel(): Promise<string>;
  /** The limits of the API before the first change of the run: a later reading may lag behind it. */
  originalLimits(read: () => Promise<Limits>): Promise<Limits>;
  /** Notes the fields of a resource as a check reads them: see {@link Resources}. */
  note(reading: Restoration): void;
  /** Called before each write to the API: see {@link Resources}. */
  writing(outgoing: Outgoing): Promise<Written>;
}

/** The changes of a run that are not undone yet. */
export class Journal implements JournalScope {
  readonly #store: JournalStore | null;
  readonly #open = new Map<string, JournalEntry>();
  readonly #resources = new Resources((undo) => this.record(undo));
  #entries = 0;
  #written = false;
  #worldLabel: Promise<string> | undefined;
  #limits: Limits | undefined;

  /** Without a store the journal is kept in memory only. */
  constructor(store: JournalStore | null) {
    this.#store = store;
  }

  /** Where it can be found; null when it is kept in memory or has no name. */
  get place(): string | null {
    return this.#store?.place ?? null;
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
    await this.#appendDurably({ id, undo });
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

  async originalLimits(read: () => Promise<Limits>): Promise<Limits> {
    this.#limits ??= await read();
    return this.#limits;
  }

  note(reading: Restoration): void {
    this.#resources.note(reading);
  }

  writing(outgoing: Outgoing): Promise<Written> {
    return this.#resources.writing(outgoing);
  }

  /** A part of this journal with entries of its own, and with those of the resources that it writes to. */
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
      originalLimits: (read) => this.originalLimits(read),
      note: (reading) => this.note(reading),
      writing: async (outgoing) => {
        const written = await this.writing(outgoing);
        for (const entry of written.entries) own.add(entry);
        return written;
      },
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
        return this.#append({ id, undo }, false).catch(() => {});
      },
      amendDurably: (amended) => {
        undo = amended;
        return this.#appendDurably({ id, undo });
      },
      settle: () => {
        this.#open.delete(id);
        // A lost line does no harm: what is undone twice stays undone.
        return this.#append({ id, undone: true }, false).catch(() => {});
      },
    };
  }

  async #appendDurably(line: JournalLine): Promise<void> {
    await this.#append(line, true).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CouldNotRun(
        `the journal of changes cannot be written: ${reason}`,
        'HOOKPROOF_JOURNAL with a folder that has free space',
      );
    });
  }

  async #append(line: JournalLine, durable: boolean): Promise<void> {
    await this.#store?.append(JSON.stringify(line), { durable });
  }
}
