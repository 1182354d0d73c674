import { readFileSync } from 'node:fs';

import type { RunContext } from '../context/run-context.ts';
import type { Discovery } from '../discover/discover.ts';
import { keyVariable } from '../redaction/redactor.ts';
import { Unreachable } from '../verdict/findings.ts';
import { outcomeExitCode, outcomeOf } from '../verdict/verdict.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { headlineOf } from './headline.ts';
import type { CheckReport, FactReport, Report, TargetReport } from './model.ts';

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
  return {
    suite: { name: MANIFEST.name, version: MANIFEST.version },
    outcome,
    exitCode: outcomeExitCode({ outcome, unreachable, suiteErrors, checks }),
    headline: headlineOf(outcome, checks, unreachable, suiteErrors.length),
    startedAt: new Date(startedAt).toISOString(),
    durationMilliseconds,
    target: targetOf(run, discovery),
    sides: plan.sides,
    unreachable,
    suiteErrors,
    counts: countsOf(verdicts),
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
