import { renderHtml, renderJson, renderJunit, renderMarkdown } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';

import type { ReportKind } from './options/report.ts';

/** How each kind of report becomes the text of its file. */
export const RENDERERS: Readonly<Record<ReportKind, (report: Report) => string>> = {
  html: renderHtml,
  json: renderJson,
  junit: renderJunit,
  markdown: renderMarkdown,
};
