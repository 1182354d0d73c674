import { existsSync, writeFileSync } from 'node:fs';
import {
  applyBaseline,
  BaselineInvalid,
  readBaseline,
  renderBaseline,
  updateBaseline,
} from '@hookproof/conformance';
import type { Baseline, Report } from '@hookproof/conformance';

import { readJsonObject } from '../../command-line/json-file.ts';
import { UsageError } from '../../command-line/errors.ts';
import { requireWritable, unwritable } from '../../command-line/output-file.ts';
import type { Screen } from '../../command-line/screen.ts';
import type { ReportOptions } from './options/report.ts';

/** Returns the report after the baseline, if there is one. */
export type Accept = (report: Report) => Report;

/** Opens the baseline before the run. Throws a usage error for one that cannot be used or written. */
export function openBaseline(options: ReportOptions, screen: Screen): Accept {
  const { baseline: file, updateBaseline: accepted } = options;
  if (accepted !== undefined) return openUpdate(file, accepted, screen);
  if (file === undefined) return (report) => report;
  if (!existsSync(file)) {
    throw new UsageError(
      `--baseline ${file} does not exist. Add --update-baseline "OWNER: REASON" to write it.`,
    );
  }
  const baseline = readFile(`--baseline ${file}`, file);
  return (report) => applyBaseline(report, baseline);
}

function openUpdate(
  file: string | undefined,
  accepted: NonNullable<ReportOptions['updateBaseline']>,
  screen: Screen,
): Accept {
  if (file === undefined) {
    throw new UsageError('--update-baseline requires --baseline. Add the file to write.');
  }
  const subject = `--baseline ${file}`;
  requireWritable(subject, file);
  const before = existsSync(file) ? readFile(subject, file) : { failures: [] };
  return (report) => {
    const after = updateBaseline(report, before, accepted);
    try {
      writeFileSync(file, renderBaseline(after));
    } catch (error) {
      throw unwritable(subject, file, error);
    }
    screen.log(`${file} is written (baseline).`);
    return applyBaseline(report, after);
  };
}

function readFile(subject: string, file: string): Baseline {
  try {
    return readBaseline(readJsonObject(subject, file));
  } catch (error) {
    if (!(error instanceof BaselineInvalid)) throw error;
    throw new UsageError(`${subject}: ${error.message}`);
  }
}
