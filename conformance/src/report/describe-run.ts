import { outcomeExitCode, outcomeOf } from '../verdict/outcome.ts';
import type { Discovery } from '../discover/discovery.ts';
import { Unreachable } from '../verdict/unreachable.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { SUITE } from './version.ts';
import { keyVariable } from '../redaction/redactor.ts';
import { headlineOf } from './headline.ts';
import type { CheckReport, FactReport, Report, TargetReport } from './model.ts';

/** The report of a run, secrets not yet replaced. */
export function describeRun(run: {
  readonly runContext: RunContext;
  /** Or why the run did not come as far as its checks. */
  readonly discovery: Discovery | Error;
  readonly checks: readonly CheckReport[];
  readonly suiteErrors: readonly string[];
  readonly durationMilliseconds: number;
}): Report {
  const { checks, suiteErrors, durationMilliseconds } = run;
  const { plan, gate, startedAt } = run.runContext;
  const unreachable =
    run.discovery instanceof Unreachable
      ? { address: run.discovery.address, message: run.discovery.message }
      : null;
  const discovery = run.discovery instanceof Error ? null : run.discovery;
  const verdicts = checks.map(({ verdict }) => verdict);
  const outcome = outcomeOf(verdicts, suiteErrors.length);
  return {
    suite: SUITE,
    outcome,
    exitCode: outcomeExitCode({ outcome, unreachable, suiteErrors, checks }),
    headline: headlineOf(outcome, checks, unreachable, suiteErrors.length),
    startedAt: new Date(startedAt).toISOString(),
    durationMilliseconds,
    target: targetOf(run.runContext, discovery),
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
