import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

import { requireWritable, unwritable } from '../../command-line/output-file.ts';
import type { Screen } from '../../command-line/screen.ts';

const SUBJECT = 'GITHUB_STEP_SUMMARY';

/** What a run adds in a job of GitHub Actions: annotations, and a summary of the step. */
export class GithubActions {
  readonly #summaryFile: string | undefined;

  private constructor(summaryFile: string | undefined) {
    this.#summaryFile = summaryFile;
  }

  /** Null elsewhere. Throws a usage error when the file of the summary cannot be written. */
  static from(environment: NodeJS.ProcessEnv): GithubActions | null {
    if (environment['GITHUB_ACTIONS'] !== 'true') return null;
    const file = environment[SUBJECT];
    if (file !== undefined && file !== '') requireWritable(SUBJECT, file);
    return new GithubActions(file === '' ? undefined : file);
  }

  /** Prints a text that quotes a target. Without the pause, a line of it could be a command to the runner. */
  printSafely(text: string, screen: Screen): void {
    const token = randomUUID();
    screen.print(`::stop-commands::${token}`);
    screen.print(text);
    screen.print(`::${token}::`);
  }

  /** Prints workflow commands. */
  annotate(lines: string, screen: Screen): void {
    if (lines !== '') screen.print(lines);
  }

  /** Appends to the summary, which other parts of the same step may have begun. */
  addSummary(markdown: string): void {
    if (this.#summaryFile === undefined) return;
    try {
      appendFileSync(this.#summaryFile, `${markdown}\n`);
    } catch (error) {
      throw unwritable(SUBJECT, this.#summaryFile, error);
    }
  }
}
