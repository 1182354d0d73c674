import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { schemaFaults } from '../http/schema-faults.ts';
import type { Report } from './model.ts';

/**
 * Thrown for a value that is not a JSON report of this version. Its message names the first member that differs.
 *
 * @example
 * ```ts
 * import { ReportInvalid, readReport } from '@hookproof/conformance';
 *
 * export function isReport(value: unknown): boolean {
 *   try {
 *     return readReport(value).checks.length >= 0;
 *   } catch (error) {
 *     if (error instanceof ReportInvalid) return false;
 *     throw error;
 *   }
 * }
 * ```
 */
export class ReportInvalid extends Error {
  override readonly name = 'ReportInvalid';
  readonly code = 'report_invalid';
}

const SCHEMA: object = JSON.parse(
  readFileSync(new URL('../../report.schema.json', import.meta.url), 'utf8'),
);

/**
 * Returns a parsed JSON report after checking it against `report.schema.json`. Throws `ReportInvalid`.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { readReport } from '@hookproof/conformance';
 *
 * const report = readReport(JSON.parse(await readFile('report.json', 'utf8')));
 * console.log(report.headline);
 * ```
 */
export function readReport(value: unknown): Report {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = ajv.compile<Report>(SCHEMA);
  if (validate(value)) return value;
  const faults = schemaFaults(validate, value, 'a file');
  throw new ReportInvalid(
    `expected a JSON report of hookproof check, got ${faults}. Write it again with this version.`,
  );
}
