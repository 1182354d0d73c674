import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConformanceOptions, JournalStore } from '@hookproof/conformance';

import { makeFolder } from '../../../command-line/make-folder.ts';
import { stateFolder } from '../../../command-line/state-folder.ts';

/** What the journals of one target are kept in. */
export interface JournalPlace {
  readonly folder: string;
  /** Begins the names of the files of one target. */
  readonly target: string;
}

/** Returns the place of the journals of a target: `HOOKPROOF_JOURNAL`, or a folder in the user's folder for state. */
export function journalPlace(
  { baseUrl, control, receiver }: ConformanceOptions,
  environment: NodeJS.ProcessEnv,
): JournalPlace {
  const named = JSON.stringify([baseUrl, control?.url, receiver?.url]);
  const target = createHash('sha256').update(named).digest('hex').slice(0, 16);
  const folder = environment['HOOKPROOF_JOURNAL'] || join(stateFolder(environment), 'journal');
  return { folder, target };
}

/** Returns the journal of a new run. Its file exists from the first change on, and only its user can read it. */
export function newJournal({ folder, target }: JournalPlace, processId: number): JournalStore {
  const name = `${target}-${processId}-${randomBytes(4).toString('hex')}.jsonl`;
  return journalIn(join(folder, name), folder);
}

/** The journals of runs that have ended without undoing all of their changes, and the number of runs in progress. */
export function leftJournals(
  { folder, target }: JournalPlace,
  isRunning: (processId: number) => boolean,
): { readonly left: readonly JournalStore[]; readonly inProgress: number } {
  const files = filesIn(folder).filter((file) => file.startsWith(`${target}-`));
  const running = files.filter((file) => isRunning(Number(file.split('-')[1])));
  const left = files.filter((file) => !running.includes(file));
  return {
    left: left.map((file) => journalIn(join(folder, file), folder)),
    inProgress: running.length,
  };
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** None in a file that was deleted: its changes are forgotten. */
function linesIn(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

function journalIn(file: string, folder: string): JournalStore {
  let handle: Promise<FileHandle> | undefined;
  let queue: Promise<void> = Promise.resolve();
  const opened = (): Promise<FileHandle> => {
    makeFolder(folder, 0o700);
    return open(file, 'a', 0o600);
  };
  const write = async (line: string, durable: boolean): Promise<void> => {
    handle ??= opened();
    const opening = handle;
    // A file that cannot be opened now may be opened for the next change.
    opening.catch(() => (handle = undefined));
    const journal = await opening;
    await journal.appendFile(`${line}\n`);
    if (durable) await journal.datasync();
  };
  return {
    place: file,
    append(line, { durable }) {
      const written = queue.then(() => write(line, durable));
      queue = written.catch(() => {});
      return written;
    },
    read: async () => linesIn(file),
    async remove() {
      await queue;
      await (await handle)?.close();
      rmSync(file, { force: true });
    },
  };
}
