import { existsSync, writeFileSync } from 'node:fs';
import {
  applyBaseline,
  BaselineInvalid,
  readBaseline,
  renderBaseline,
  updateBaseline,
} from '@hookproof/conformance';
import type { Baseline, Report } from '@hookproof/conformance';

import { readJsonObject } from '../../command-line/config-file.ts';
import { UsageError } from '../../command-line/errors.ts';
import { requireWritable, unwritable } from '../../command-line/output-file.ts';
import type { Screen } from '../../command-line/screen.ts';
import type { ReportOptions } from './options/report.ts';

/** Returns the report after the baseline, if there is one. */
export type Accept = (report: Report) => Report;

/** Opens the baseline before the run. Throws a usage error for one that cannot be used or written. */
export function openBaseline(options: ReportOptions, screen: Screen): Accept {
  const { baseline: file, updateBaseline: isUpdate = false } = options;
  if (file === undefined) {
    if (!isUpdate) return (report) => report;
    throw new UsageError('--update-baseline needs --baseline, got none. Add the file to write.');
  }
  const subject = `--baseline ${file}`;
  if (isUpdate) requireWritable(subject, file);
  const before =
    isUpdate && !existsSync(file) ? { failures: [] } : readFile(subject, file, isUpdate);
  if (!isUpdate) return (report) => applyBaseline(report, before);
  return (report) => {
    const after = updateBaseline(report, before);
    try {
      writeFileSync(file, renderBaseline(after));
    } catch (error) {
      throw unwritable(subject, file, error);
    }
    const complete = after.failures.filter(isComplete);
    const open = after.failures.length - complete.length;
    screen.note(
      `baseline: ${file}${open === 0 ? '' : `; write reason and owner of ${open} lines`}`,
    );
    return applyBaseline(report, { failures: complete });
  };
}

function readFile(subject: string, file: string, isDraft: boolean): Baseline {
  try {
    return readBaseline(readJsonObject(subject, file), { isDraft });
  } catch (error) {
    if (!(error instanceof BaselineInvalid)) throw error;
    throw new UsageError(`${subject}: ${error.message}`);
  }
}

/** A line without reason or owner accepts nothing yet. */
function isComplete({ reason, owner }: Baseline['failures'][number]): boolean {
  return reason.trim() !== '' && owner.trim() !== '';
}
