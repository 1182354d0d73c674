import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { checks } from '../checks/catalogue.ts';
import { schemaFaults } from '../http/schema-faults.ts';

/** The failures of a target that are known and accepted for a time. */
export interface Baseline {
  readonly failures: readonly KnownFailure[];
}

/** One known failure. The reason, the owner and the date are for the people who read the report. */
export interface KnownFailure {
  /** Id of the check. */
  readonly check: string;
  readonly reason: string;
  /** Who fixes it: a person, a team or a ticket. */
  readonly owner: string;
  /** The last day on which the failure is accepted, in UTC: `2027-01-31`. */
  readonly expires: string;
}

/**
 * Thrown for a baseline that cannot be used. Its message names the line and the fix.
 *
 * @example
 * ```ts
 * import { BaselineInvalid, readBaseline } from '@hookproof/conformance';
 *
 * export function isUsable(value: unknown): boolean {
 *   try {
 *     return readBaseline(value).failures.length >= 0;
 *   } catch (error) {
 *     if (error instanceof BaselineInvalid) return false;
 *     throw error;
 *   }
 * }
 * ```
 */
export class BaselineInvalid extends Error {
  override readonly name = 'BaselineInvalid';
  readonly code = 'baseline_invalid';
}

const SCHEMA: object = JSON.parse(
  readFileSync(new URL('../../baseline.schema.json', import.meta.url), 'utf8'),
);

/**
 * Returns a parsed baseline file after checking it: its form, which `baseline.schema.json` describes, that each check
 * exists and has one line, and that reason and owner are filled in. Throws `BaselineInvalid`.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { applyBaseline, readBaseline, runConformance } from '@hookproof/conformance';
 * import type { Report } from '@hookproof/conformance';
 *
 * export async function judge(baseUrl: string): Promise<Report> {
 *   const baseline = readBaseline(JSON.parse(await readFile('baseline.json', 'utf8')));
 *   return applyBaseline(await runConformance({ baseUrl }), baseline);
 * }
 * ```
 */
export function readBaseline(value: unknown): Baseline {
  const validate = new Ajv2020({ allErrors: false }).compile<Baseline>(SCHEMA);
  if (!validate(value)) {
    throw new BaselineInvalid(
      `expected a baseline, got ${schemaFaults(validate, value, 'a file')}.`,
    );
  }
  const seen = new Set<string>();
  for (const line of value.failures) {
    requireUsable(line, seen);
    seen.add(line.check);
  }
  return { failures: value.failures };
}

function requireUsable(line: KnownFailure, seen: ReadonlySet<string>): void {
  const { check, reason, owner, expires } = line;
  if (seen.has(check)) {
    throw new BaselineInvalid(`${check} must have one line, got two. Remove one.`);
  }
  if (!checks.some(({ id }) => id === check)) {
    throw new BaselineInvalid(
      `Unknown check ${JSON.stringify(check)}. Remove or correct its line.`,
    );
  }
  if (!isDate(expires)) {
    throw new BaselineInvalid(
      `expires of ${check} must be a date such as 2027-01-31, got ${JSON.stringify(expires)}.`,
    );
  }
  const empty = [reason.trim() === '' ? 'reason' : '', owner.trim() === '' ? 'owner' : ''];
  const missing = empty.filter((name) => name !== '');
  if (missing.length === 0) return;
  throw new BaselineInvalid(
    `${missing.join(' and ')} of ${check} must not be empty. Write why the failure is accepted and who fixes it.`,
  );
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
