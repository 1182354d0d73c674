import type { Report } from './model.ts';

/** The report as JSON, in the form that `report.schema.json` describes, with a line end. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
