import {
  renderAnnotations,
  renderBadge,
  renderHtml,
  renderJson,
  renderJunit,
  renderMarkdown,
  renderSarif,
  renderShields,
  renderTargets,
  renderTargetsHtml,
  renderTerminal,
} from '@hookproof/conformance';
import type { Report, TargetsReport, TerminalOptions } from '@hookproof/conformance';

import type { ReportKind } from './options/report.ts';

/** A file of a report. */
export interface RenderedFile {
  readonly file: string;
  readonly text: string;
}

/** How a report becomes text. */
export interface Formats<Reported> {
  terminal(report: Reported, options: TerminalOptions): string;
  json(report: Reported): string;
  markdown(report: Reported): string;
  annotations(report: Reported): string;
  /** The files of a kind, when the user named one of them. */
  files(kind: ReportKind, report: Reported, file: string): readonly RenderedFile[];
}

const RENDERERS: Readonly<Record<ReportKind, (report: Report) => string>> = {
  html: renderHtml,
  json: renderJson,
  junit: renderJunit,
  sarif: renderSarif,
  markdown: renderMarkdown,
  badge: renderBadge,
  shields: renderShields,
};

/** The formats of a run of one target. */
export const RUN_FORMATS: Formats<Report> = {
  terminal: renderTerminal,
  json: renderJson,
  markdown: renderMarkdown,
  annotations: renderAnnotations,
  files: (kind, report, file) => [{ file, text: RENDERERS[kind](report) }],
};

/** The formats of a run of many targets. */
export const TARGETS_FORMATS: Formats<TargetsReport> = {
  terminal: (report, options) => renderTargets(report, 'terminal', options),
  json: (report) => renderTargets(report, 'json'),
  markdown: (report) => renderTargets(report, 'markdown'),
  annotations: (report) => renderTargets(report, 'annotations'),
  files: (kind, report, file) =>
    kind === 'html'
      ? renderTargetsHtml(report, file)
      : [{ file, text: renderTargets(report, kind) }],
};
