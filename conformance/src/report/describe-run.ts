import { outcomeExitCode, outcomeOf } from '../outcome.ts';
import type { Learned } from '../prepare/learned.ts';
import { Unreachable } from '../prepare/unreachable.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Verdict } from '../verdict.ts';
import { SUITE } from '../version.ts';
import { keyVariable } from '../wire/redactor.ts';
import { headlineOf } from './headline.ts';
import type { CheckReport, FactReport, Report, TargetReport } from './model.ts';

/** The report of a run, secrets not yet replaced. */
export function describeRun(run: {
  readonly surroundings: Surroundings;
  /** Or why the run did not come as far as its checks. */
  readonly learned: Learned | Error;
  readonly checks: readonly CheckReport[];
  readonly suiteErrors: readonly string[];
  readonly durationMilliseconds: number;
}): Report {
  const { checks, suiteErrors, durationMilliseconds } = run;
  const { plan, gate, startedAt } = run.surroundings;
  const unreachable =
    run.learned instanceof Unreachable
      ? { address: run.learned.address, message: run.learned.message }
      : null;
  const learned = run.learned instanceof Error ? null : run.learned;
  const verdicts = checks.map(({ verdict }) => verdict);
  const outcome = outcomeOf(verdicts, suiteErrors.length);
  return {
    suite: SUITE,
    outcome,
    exitCode: outcomeExitCode({ outcome, unreachable, suiteErrors, checks }),
    headline: headlineOf(outcome, checks, unreachable, suiteErrors.length),
    startedAt: new Date(startedAt).toISOString(),
    durationMilliseconds,
    target: targetOf(run.surroundings, learned),
    sides: plan.sides,
    unreachable,
    suiteErrors,
    counts: countsOf(verdicts),
    locked: checks.filter(({ locked }) => locked === true).length,
    wire: { ...gate.wire },
    facts: learned === null ? [] : factsOf(learned),
    checks,
  };
}

function targetOf({ plan }: Surroundings, learned: Learned | null): TargetReport {
  return {
    baseUrl: plan.baseUrl,
    appUrl: plan.appUrl,
    controlUrl: plan.control?.url ?? null,
    receiverUrl: plan.receiver?.url ?? null,
    identity: learned?.api?.identity ?? null,
    clockOffsetMilliseconds:
      learned?.api?.clockOffsetMilliseconds ?? learned?.receiver?.clockOffsetMilliseconds ?? null,
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

function factsOf({ facts: { keys, fixtures } }: Learned): FactReport[] {
  return [
    ...Object.entries(keys).map(([name, { source }]) => ({
      name: `key.${name}`,
      value: `$${keyVariable(name)}`,
      source,
    })),
    ...Object.entries(fixtures).map(([name, { value, source }]) => ({ name, value, source })),
  ];
}
