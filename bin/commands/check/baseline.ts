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
  if (isUpdate) return openUpdate(options, screen);
  const unused = Object.entries({ '--reason': options.reason, '--owner': options.owner });
  for (const [name, value] of unused) {
    if (value === undefined) continue;
    throw new UsageError(`${name} needs --update-baseline, got none. Add it with --baseline.`);
  }
  if (file === undefined) return (report) => report;
  const baseline = readFile(`--baseline ${file}`, file);
  return (report) => applyBaseline(report, baseline);
}

/** Everything that a new line needs is known before the run, so that the next run can read what this one writes. */
function openUpdate(
  { baseline: file, reason = '', owner = '' }: ReportOptions,
  screen: Screen,
): Accept {
  if (file === undefined) {
    throw new UsageError('--update-baseline needs --baseline, got none. Add the file to write.');
  }
  for (const [name, text, meaning] of [
    ['--reason', reason, 'why the failures are accepted'],
    ['--owner', owner, 'who fixes them'],
  ]) {
    if (text?.trim() !== '') continue;
    throw new UsageError(`--update-baseline needs ${name}, got none. Say ${meaning}.`);
  }
  const subject = `--baseline ${file}`;
  requireWritable(subject, file);
  const before = existsSync(file) ? readFile(subject, file) : { failures: [] };
  return (report) => {
    const after = updateBaseline(report, before, { reason, owner });
    try {
      writeFileSync(file, renderBaseline(after));
    } catch (error) {
      throw unwritable(subject, file, error);
    }
    screen.note(`baseline: ${file}`);
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
