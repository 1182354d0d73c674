/**
 * Where a run writes how its changes are undone, before it makes them. One store belongs to one run.
 *
 * @example
 * ```ts
 * import { appendFile, readFile, rm } from 'node:fs/promises';
 * import type { JournalStore } from '@hookproof/conformance';
 *
 * export function journalIn(file: string): JournalStore {
 *   return {
 *     append: (line, { durable }) => appendFile(file, `${line}\n`, { mode: 0o600, flush: durable }),
 *     read: async () => (await readFile(file, 'utf8')).split('\n'),
 *     remove: () => rm(file, { force: true }),
 *   };
 * }
 * ```
 */
export interface JournalStore {
  /** Where it can be found, for the report of a run that leaves something in it. Default: not named. */
  readonly place?: string;
  /** Adds a line. With `durable` it resolves when the line survives a crash of the machine. */
  append(line: string, options: { readonly durable: boolean }): Promise<void>;
  /** All lines, oldest first. */
  read(): Promise<readonly string[]>;
  /** Called when nothing remains to be undone. */
  remove(): Promise<void>;
}
