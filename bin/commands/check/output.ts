import { writeFileSync } from 'node:fs';

import {
  renderAnnotations,
  renderJson,
  renderMarkdown,
  renderTerminal,
} from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';

import { UsageError } from '../../command-line/errors.ts';
import { requireWritable, unwritable } from '../../command-line/output-file.ts';
import type { Screen } from '../../command-line/screen.ts';
import { RENDERERS } from './formats.ts';
import { GithubActions } from './github-actions.ts';
import type { GuideOptions } from './options/guide.ts';
import type { ReportFile, ReportKind, ReportOptions } from './options/report.ts';

/** Everything that the report of a run is written to. */
export interface Output {
  /** Prints the report and writes its files. */
  write(report: Report): void;
}

/**
 * Opens what a run writes to. Throws a usage error for a file that cannot be written, so that it is found before the
 * run starts.
 */
export function openOutput(
  { json, verbose, initFixtures, report: files = [] }: ReportOptions & GuideOptions,
  screen: Screen,
  environment: NodeJS.ProcessEnv,
): Output {
  const github = GithubActions.from(environment);
  requireReportFiles(files);
  const terminal = {
    color: screen.color,
    columns: screen.columns,
    verbose: verbose === true,
    ...(initFixtures === undefined ? {} : { fixturesFile: initFixtures }),
  };
  return {
    write(report) {
      if (json === true) screen.print(renderJson(report));
      else printText(renderTerminal(report, terminal), github, screen);
      writeReports(files, report, screen);
      // Standard output is the report alone when it is JSON.
      if (json !== true) github?.annotate(renderAnnotations(report), screen);
      github?.addSummary(renderMarkdown(report));
    },
  };
}

function printText(text: string, github: GithubActions | null, screen: Screen): void {
  if (github === null) screen.print(text);
  else github.printSafely(text, screen);
}

/** Throws a usage error when a report could not be written, before the run starts. */
function requireReportFiles(files: readonly ReportFile[] = []): void {
  for (const [index, { kind, file }] of files.entries()) {
    requireWritable(subjectOf(kind, file), file);
    if (files.findIndex((other) => other.file === file) === index) continue;
    throw new UsageError(
      `${subjectOf(kind, file)} must name a file of its own, but another report has the same. Use another file.`,
    );
  }
}

/** Writes the reports that were asked for. One that cannot be written does not keep the others from being written. */
function writeReports(asked: readonly ReportFile[], report: Report, screen: Screen): void {
  const failures: UsageError[] = [];
  for (const { kind, file } of asked) {
    try {
      writeFileSync(file, RENDERERS[kind](report));
      screen.log(`${file} is written (${kind} report).`);
    } catch (error) {
      failures.push(unwritable(subjectOf(kind, file), file, error));
    }
  }
  if (failures[0] !== undefined) throw failures[0];
}

function subjectOf(kind: ReportKind, file: string): string {
  return `--report ${kind}=${file}`;
}
