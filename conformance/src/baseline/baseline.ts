import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { checks } from '../checks/catalogue.ts';
import { schemaFaults } from '../http/schema-faults.ts';
import { NEEDS } from '../options/remedies.ts';

/** The failures of a target that are known and accepted for a time. */
export interface Baseline {
  readonly failures: readonly KnownFailure[];
  /** What the run lacks for good. The checks that need nothing else count as not applicable. Default none. */
  readonly couldNotRun?: readonly AcceptedGap[];
}

/** Something that a run lacks, such as a key that nobody will issue. */
export interface AcceptedGap {
  /** What is missing: `keys.ocr`, `agentSlug`, `control`, or the id of a check. */
  readonly needs: string;
  readonly reason: string;
  /** Who decides about it again: a person, a team or a ticket. */
  readonly owner: string;
  /** The last day on which it is accepted, in UTC: `2027-01-31`. */
  readonly expires: string;
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
    requireOnce(line.check, seen);
    if (!isCheck(line.check)) {
      throw new BaselineInvalid(
        `Unknown check ${JSON.stringify(line.check)}. Remove or correct its line.`,
      );
    }
    requireUsable(line.check, line);
  }
  const gaps = value.couldNotRun ?? [];
  const needs = new Set<string>();
  for (const line of gaps) {
    requireOnce(line.needs, needs);
    if (!isCheck(line.needs) && !isNeed(line.needs)) {
      throw new BaselineInvalid(
        `Unknown need ${JSON.stringify(line.needs)}. It must be the id of a check or one of ${NEEDS.join(', ')}.`,
      );
    }
    requireUsable(line.needs, line);
  }
  return { failures: value.failures, ...(gaps.length === 0 ? {} : { couldNotRun: gaps }) };
}

function isCheck(id: string): boolean {
  return checks.some((check) => check.id === id);
}

function isNeed(name: string): boolean {
  return NEEDS.some((one) => one === name);
}

function requireOnce(name: string, seen: Set<string>): void {
  if (seen.has(name)) {
    throw new BaselineInvalid(`${name} must have one line, got two. Remove one.`);
  }
  seen.add(name);
}

function requireUsable(
  subject: string,
  { reason, owner, expires }: Omit<KnownFailure, 'check'>,
): void {
  if (!isDate(expires)) {
    throw new BaselineInvalid(
      `expires of ${subject} must be a date such as 2027-01-31, got ${JSON.stringify(expires)}.`,
    );
  }
  const empty = [reason.trim() === '' ? 'reason' : '', owner.trim() === '' ? 'owner' : ''];
  const missing = empty.filter((name) => name !== '');
  if (missing.length === 0) return;
  throw new BaselineInvalid(
    `${missing.join(' and ')} of ${subject} must not be empty. Write why it is accepted and who answers for it.`,
  );
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
