import type { CheckReport, Report } from '../report/model.ts';
import type { AcceptedGap, Baseline, KnownFailure } from './baseline.ts';

const SCHEMA = 'node_modules/@hookproof/conformance/baseline.schema.json';
const DAY_MILLISECONDS = 86_400_000;
/** How long a new line accepts its failure, unless its author writes another date. */
const ACCEPTED_DAYS = 30;

/**
 * Returns the baseline that fits a report: lines of failures stay as they are, also expired ones; lines of checks that
 * pass are dropped; lines of checks without a result stay; each other failure gets a line, and each thing that kept
 * checks from running one of `couldNotRun`. A new line has the given reason and owner, and expires after 30 days. Throws `TypeError` for an empty reason or owner.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { renderBaseline, updateBaseline } from '@hookproof/conformance';
 * import type { Report } from '@hookproof/conformance';
 *
 * export async function acceptAll(report: Report): Promise<void> {
 *   const accepted = { reason: 'first run', owner: 'team-a' };
 *   const baseline = updateBaseline(report, { failures: [] }, accepted);
 *   await writeFile('baseline.json', renderBaseline(baseline));
 * }
 * ```
 */
export function updateBaseline(
  report: Report,
  before: Baseline,
  { reason, owner }: Pick<KnownFailure, 'reason' | 'owner'>,
): Baseline {
  for (const [name, text] of Object.entries({ reason, owner })) {
    if (text.trim() === '') throw new TypeError(`${name} must not be empty.`);
  }
  const verdicts = new Map(report.checks.map(({ id, verdict }) => [id, verdict]));
  const kept = before.failures.filter(({ check }) => verdicts.get(check) !== 'pass');
  const listed = new Set(kept.map(({ check }) => check));
  const day = Date.parse(report.startedAt) + ACCEPTED_DAYS * DAY_MILLISECONDS;
  const expires = new Date(day).toISOString().slice(0, 10);
  const added = report.checks
    .filter(({ id, verdict }) => verdict === 'fail' && !listed.has(id))
    .map(({ id }): KnownFailure => ({ check: id, reason, owner, expires }));
  const gaps = before.couldNotRun ?? [];
  const known = new Set(gaps.map(({ needs }) => needs));
  const missing = new Set(report.unreachable === null ? report.checks.flatMap(needsOf) : []);
  const addedGaps = [...missing]
    .filter((needs) => !known.has(needs))
    .map((needs): AcceptedGap => ({ needs, reason, owner, expires }));
  const couldNotRun = [...gaps, ...addedGaps].toSorted((a, b) => (a.needs < b.needs ? -1 : 1));
  return {
    failures: [...kept, ...added].toSorted((a, b) => (a.check < b.check ? -1 : 1)),
    ...(couldNotRun.length === 0 ? {} : { couldNotRun }),
  };
}

/** What a check lacks, by the names of a baseline; the check itself where that has no name. */
function needsOf({ id, verdict, remedies = [] }: CheckReport): string[] {
  if (verdict !== 'could-not-run') return [];
  const names = remedies.flatMap(({ need }) => need ?? []);
  return names.length === 0 || names.length < remedies.length ? [id] : names;
}

/**
 * Returns a baseline as the JSON of its file, with a line break at its end.
 *
 * @example
 * ```ts
 * import { renderBaseline } from '@hookproof/conformance';
 *
 * console.log(renderBaseline({ failures: [] }));
 * ```
 */
export function renderBaseline(baseline: Baseline): string {
  return `${JSON.stringify({ $schema: SCHEMA, ...baseline }, null, 2)}\n`;
}
