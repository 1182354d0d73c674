import { diffReports, readReport, renderDiff, ReportInvalid } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';

import { readJsonObject } from '../../command-line/json-file.ts';
import { UsageError } from '../../command-line/errors.ts';
import type { Screen } from '../../command-line/screen.ts';
import type { ReportOptions } from './options/report.ts';

/** Compares two JSON reports without a run. Returns 1 for a new fail, else 0. */
export function compareFiles(
  [before = '', after = '']: readonly string[],
  json: boolean,
  screen: Screen,
): number {
  const diff = diffReports(reportIn(before), reportIn(after));
  if (json) screen.print(JSON.stringify(diff, null, 2));
  else screen.print(renderDiff(diff).trimEnd());
  return diff.newFails.length > 0 ? 1 : 0;
}

/**
 * Returns what prints the changes since an earlier report. Throws a usage error, before the run, for a file that is none.
 * Beside a report as JSON the changes go to standard error.
 */
export function openComparison(
  { compare: files = [], json }: ReportOptions,
  screen: Screen,
): (report: Report) => void {
  const [file] = files;
  if (file === undefined) return () => {};
  const before = reportIn(file);
  return (report) => {
    const text = `Since ${file}:\n${renderDiff(diffReports(before, report)).trimEnd()}`;
    if (json === true) screen.log(text);
    else screen.print(`\n${text}`);
  };
}

function reportIn(file: string): Report {
  try {
    return readReport(readJsonObject(`--compare ${file}`, file));
  } catch (error) {
    if (!(error instanceof ReportInvalid)) throw error;
    throw new UsageError(`--compare ${file}: ${error.message}`);
  }
}
