import { BADGE_COLORS, badgeSvg, shieldsJson } from '../report/badge.ts';
import { workflowCommand } from '../report/github.ts';
import { renderHtml } from '../report/html/page.ts';
import type { TerminalOptions } from '../report/terminal.ts';
import { targetsJunit, targetsSarif } from './documents.ts';
import type { TargetsReport } from './model.ts';
import { overviewPage } from './overview-page.ts';
import { targetsMarkdown, targetsTerminal } from './texts.ts';

/** The formats of a report of many targets that are one text. */
export type TargetsFormat =
  'terminal' | 'json' | 'junit' | 'sarif' | 'markdown' | 'badge' | 'shields' | 'annotations';

/**
 * Returns the report of many targets in a format: as `renderTerminal`, `renderJson`, `renderJunit` and so on do for one
 * target. The options are for the terminal.
 *
 * @example
 * ```ts
 * import { renderTargets } from '@hookproof/conformance';
 * import type { TargetsReport } from '@hookproof/conformance';
 *
 * export function print(report: TargetsReport): void {
 *   console.log(renderTargets(report, 'terminal', { color: process.stdout.isTTY }));
 * }
 * ```
 */
export function renderTargets(
  report: TargetsReport,
  format: TargetsFormat,
  options: TerminalOptions = {},
): string {
  const isGood = report.exitCode === 0;
  const color = isGood ? BADGE_COLORS.conformant : BADGE_COLORS.violated;
  const renderers: Readonly<Record<TargetsFormat, () => string>> = {
    terminal: () => targetsTerminal(report, options),
    json: () => `${JSON.stringify(report, null, 2)}\n`,
    junit: () => targetsJunit(report),
    sarif: () => targetsSarif(report),
    markdown: () => targetsMarkdown(report),
    badge: () => badgeSvg(report.headline, color),
    shields: () => shieldsJson(report.headline, color, !isGood),
    annotations: () => annotations(report),
  };
  return renderers[format]();
}

/**
 * Returns the report of many targets as HTML files: an overview under the given name, and a page for each target
 * beside it, such as `report.eu.html` for the target `eu` of `report.html`.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { renderTargetsHtml } from '@hookproof/conformance';
 * import type { TargetsReport } from '@hookproof/conformance';
 *
 * export async function writePages(report: TargetsReport): Promise<void> {
 *   const pages = renderTargetsHtml(report, 'report.html');
 *   await Promise.all(pages.map(({ file, text }) => writeFile(file, text)));
 * }
 * ```
 */
export function renderTargetsHtml(
  report: TargetsReport,
  file: string,
): { readonly file: string; readonly text: string }[] {
  const fileOf = (name: string): string => `${file.replace(/\.html?$/i, '')}.${name}.html`;
  return [
    { file, text: overviewPage(report, fileOf) },
    ...report.targets.flatMap(({ name, report: own }) =>
      own === null ? [] : [{ file: fileOf(name), text: renderHtml(own) }],
    ),
  ];
}

function annotations({ targets }: TargetsReport): string {
  return targets
    .filter(({ exitCode }) => exitCode !== 0)
    .map(({ name, message }) => workflowCommand('error', name, message))
    .join('\n');
}
