import { readFileSync } from 'node:fs';

import type { RunContext } from '../context/context.ts';
import type { Discovery } from '../discover/discover.ts';
import { keyVariable } from '../redaction/redactor.ts';
import { Unreachable } from '../verdict/findings.ts';
import { outcomeExitCode, outcomeOf } from '../verdict/verdict.ts';
import type { Outcome, Verdict } from '../verdict/verdict.ts';
import type { CheckReport, FactReport, Report, TargetReport } from './model.ts';
import { counted } from './wording.ts';

const MANIFEST: Report['suite'] = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** The report of a run, before redaction. */
export function describeRun({
  run,
  discovery: discovered,
  checks,
  suiteErrors,
  durationMilliseconds,
}: {
  readonly run: RunContext;
  /** Or why the run ended before its checks. */
  readonly discovery: Discovery | Error;
  readonly checks: readonly CheckReport[];
  readonly suiteErrors: readonly string[];
  readonly durationMilliseconds: number;
}): Report {
  const { plan, gate, startedAt } = run;
  const unreachable =
    discovered instanceof Unreachable ? { url: discovered.url, message: discovered.message } : null;
  const discovery = discovered instanceof Error ? null : discovered;
  const verdicts = checks.map(({ verdict }) => verdict);
  const outcome = outcomeOf(verdicts, suiteErrors.length);
  const counts = countsOf(verdicts);
  return {
    suite: { name: MANIFEST.name, version: MANIFEST.version },
    outcome,
    exitCode: outcomeExitCode({ outcome, unreachable, suiteErrors, checks }),
    headline:
      unreachable === null
        ? headlineOf(outcome, counts, { checks, suiteErrors })
        : `unreachable: no usable response from ${unreachable.url}`,
    startedAt: new Date(startedAt).toISOString(),
    durationMilliseconds,
    target: targetOf(run, discovery),
    sides: plan.sides,
    unreachable,
    suiteErrors,
    counts,
    locked: checks.filter(({ locked }) => locked === true).length,
    wire: { ...gate.wire },
    facts: discovery === null ? [] : factsOf(discovery),
    checks,
  };
}

function targetOf({ plan }: RunContext, discovery: Discovery | null): TargetReport {
  return {
    baseUrl: plan.baseUrl,
    appUrl: plan.appUrl,
    controlUrl: plan.control?.url ?? null,
    receiverUrl: plan.receiver?.url ?? null,
    identity: discovery?.api?.identity ?? null,
    clockOffsetMilliseconds:
      discovery?.api?.clockOffsetMilliseconds ??
      discovery?.receiver?.clockOffsetMilliseconds ??
      null,
  };
}

function countsOf(verdicts: readonly Verdict[]): Report['counts'] {
  const count = (wanted: Verdict): number =>
    verdicts.filter((verdict) => verdict === wanted).length;
  return {
    pass: count('pass'),
    fail: count('fail'),
    advice: count('advice'),
    info: count('info'),
    'not-applicable': count('not-applicable'),
    'could-not-run': count('could-not-run'),
    inconclusive: count('inconclusive'),
    'harness-error': count('harness-error'),
  };
}

function factsOf({ facts: { keys, fixtures } }: Discovery): FactReport[] {
  return [
    ...Object.entries(keys).map(([name, { source }]) => ({
      name: `key.${name}`,
      value: `$${keyVariable(name)}`,
      source,
    })),
    ...Object.entries(fixtures).map(([name, { value, source }]) => ({ name, value, source })),
  ];
}

/** The run in one line: the outcome, then what limits it. */
function headlineOf(
  outcome: Outcome,
  counts: Report['counts'],
  { checks, suiteErrors }: Pick<Report, 'checks' | 'suiteErrors'>,
): string {
  const notes = [
    note(counts.fail, 'check failed', 'checks failed'),
    note(counts['could-not-run'], 'check could not run', 'checks could not run'),
    note(counts.inconclusive, 'check is inconclusive', 'checks are inconclusive'),
    note(
      counts['harness-error'],
      'check has an error of the suite',
      'checks have errors of the suite',
    ),
    note(
      suiteErrors.length,
      'error of the suite outside its checks',
      'errors of the suite outside its checks',
    ),
    note(counts.advice, 'check gives advice', 'checks give advice'),
    ...lockNotes(checks),
  ].filter((text) => text !== null);
  const start = outcome === 'conformant' ? conformant(checks) : outcome.replace('-', ' ');
  return notes.length === 0 ? start : `${start}: ${notes.join('; ')}`;
}

function conformant(checks: readonly CheckReport[]): string {
  const wrote = checks.some(
    ({ side, access, verdict }) =>
      side !== 'receiver' && access !== 'read' && verdict !== 'not-applicable',
  );
  const locked = checks.some((check) => check.locked === true);
  return locked && !wrote ? 'conformant, read-only' : 'conformant';
}

function lockNotes(checks: readonly CheckReport[]): (string | null)[] {
  return ['--allow-writes', '--allow-deletes'].map((flag) => {
    const count = checks.filter(
      ({ locked, message }) => locked === true && message.endsWith(flag),
    ).length;
    return note(count, `check needs ${flag}`, `checks need ${flag}`);
  });
}

function note(count: number, one: string, many: string): string | null {
  return count === 0 ? null : counted(count, one, many);
}
