import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderHtml, renderJson } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';

import { UsageError } from '../command-line/errors.ts';
import { makeFolder } from '../command-line/make-folder.ts';
import { unwritable } from '../command-line/output-file.ts';

const MARK = '.hookproof-demo';

/** Makes the folder, or empties it if an earlier demo made it. Throws a usage error for a folder with other files. */
export function prepareFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new UsageError(`--out must be a folder, got the file ${folder}.`);
  }
  const isForeign =
    existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, MARK));
  if (isForeign) {
    throw new UsageError(
      `--out must be a new folder or that of an earlier demo, but ${folder} contains other files. Choose another folder.`,
    );
  }
  try {
    rmSync(folder, { recursive: true, force: true });
    makeFolder(folder);
    writeFileSync(join(folder, MARK), 'Written by hookproof demo, which may delete this folder.\n');
  } catch (error) {
    throw unwritable('--out', folder, error);
  }
}

/** The report to look at. */
export const REPORT = 'report.html';

/** Writes the report as HTML and, for programs, as `report.json`. */
export function writeReports(folder: string, report: Report): void {
  writeFileSync(join(folder, REPORT), renderHtml(report));
  writeFileSync(join(folder, 'report.json'), renderJson(report));
}
