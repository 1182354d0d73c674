import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { folderOf, PROGRAMS } from './programs/binaries.ts';
import type { ProgramKind } from './programs/binaries.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The programs that are not installed. */
    readonly missingPrograms: readonly ProgramKind[];
    /** The program of the browser; null if it is not installed. */
    readonly browserPath: string | null;
  }
}

/** Finds out once per run which programs are installed. A missing one fails the run when `CI` is set. */
export default function setup(project: TestProject): (() => void) | undefined {
  const kinds = Object.keys(PROGRAMS) as ProgramKind[];
  const missing = kinds.filter((kind) => folderOf(kind) === null);
  project.provide('missingPrograms', missing);
  const browser = folderOf('chromium');
  project.provide('browserPath', browser === null ? null : join(browser, 'chromium'));
  if (missing.length === 0) return undefined;
  const packages = missing.map((kind) => PROGRAMS[kind].package).join(' ');
  const message = `Some tests need ${missing.join(' and ')}. Install them (Debian: apt-get install ${packages}).`;
  if (process.env['CI'] !== undefined) throw new Error(message);
  return () => void process.stderr.write(`\nTESTS WERE LEFT OUT. ${message}\n`);
}
