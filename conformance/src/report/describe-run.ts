import { readFileSync } from 'node:fs';

import type { RunContext } from '../context/context.ts';
import type { Discovery } from '../discover/discover.ts';
import type { Plan } from '../options/plan.ts';
import { leftBehindTexts } from '../undo/put-back.ts';
import { keyVariable } from '../redaction/redactor.ts';
import { Unreachable } from '../verdict/findings.ts';
import { byWeight, outcomeExitCode, outcomeOf } from '../verdict/verdict.ts';
import type { Outcome, Verdict } from '../verdict/verdict.ts';
import type { CheckReport, FactReport, Report, RequirementReport, TargetReport } from './model.ts';
import { byRequirement } from './order.ts';
import { counted } from './wording.ts';
import type { JudgedTarget } from './wording.ts';

const MANIFEST: Report['suite'] = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** The report of a run, before redaction. */
export function describeRun({
  run,
  discovery: discovered,
  isInterrupted,
  checks,
  suiteErrors,
  durationMilliseconds,
}: {
  readonly run: RunContext;
  /** Or why the run ended before its checks. */
  readonly discovery: Discovery | Error;
  readonly isInterrupted: boolean;
  readonly checks: readonly CheckReport[];
  readonly suiteErrors: readonly string[];
  readonly durationMilliseconds: number;
}): Report {
  const { plan, gate, startedAt, leftBehind } = run;
  const unreachable = discovered instanceof Unreachable && !isInterrupted ? discovered : null;
  const discovery = discovered instanceof Error ? null : discovered;
  const verdicts = checks.map(({ verdict }) => verdict);
  const notPutBack = run.journal?.outstanding().length ?? 0;
  const gaps = suiteErrors.length + notPutBack;
  const outcome = isInterrupted ? 'interrupted' : outcomeOf(verdicts, gaps);
  const counts = countsOf(verdicts);
  return {
    suite: { name: MANIFEST.name, version: MANIFEST.version },
    outcome,
    exitCode: outcomeExitCode({ outcome, unreachable, suiteErrors, checks }),
    headline:
      unreachable === null
        ? headlineOf(outcome, counts, { checks, suiteErrors, notPutBack })
        : `unreachable: ${unreachable.headline}`,
    startedAt: new Date(startedAt).toISOString(),
    durationMilliseconds,
    target: targetOf(run, discovery),
    sides: plan.sides,
    unreachable:
      unreachable === null ? null : { url: unreachable.url, message: unreachable.message },
    suiteErrors,
    counts,
    wire: { ...gate.wire },
    baseline: null,
    leftBehind: [...leftBehindTexts(leftBehind), ...journalTexts(run, notPutBack)],
    notPutBack,
    facts: discovery === null ? [] : factsOf(discovery),
    requirements: requirementsOf(checks),
    checks,
  };
}

/** Where the run leaves what it could not put back. */
function journalTexts({ journal, plan }: RunContext, open: number): readonly string[] {
  if (open === 0 || journal === null || journal.place === null) return [];
  const what = counted(open, 'change', 'changes');
  const command = `${plan.command ?? 'npx hookproof check …'} --clean-up`;
  return [
    `The journal ${journal.place} keeps ${what}. Undo: ${command}. Deleting it forgets them.`,
  ];
}

function targetOf({ plan, effects }: RunContext, discovery: Discovery | null): TargetReport {
  const { longestMilliseconds: longest } = effects;
  return {
    ...addressesOf(plan),
    appUrl: plan.appUrl,
    controlUrl: plan.control?.url ?? null,
    identity: discovery?.api?.identity ?? null,
    clockOffsetMilliseconds:
      discovery?.api?.clockOffsetMilliseconds ??
      discovery?.receiver?.clockOffsetMilliseconds ??
      null,
    effectMilliseconds: longest === null ? null : Math.round(longest),
  };
}

/** What a plan names as the target of each side. */
function addressesOf(plan: Plan): JudgedTarget {
  const { baseUrl, receiver, sides } = plan;
  const senderDriver = sides.includes('sender') ? driverOf(plan) : null;
  return { baseUrl, receiverUrl: receiver?.url ?? null, senderDriver };
}

function driverOf({ control, steps }: Plan): string {
  if (control !== null) return `control interface ${control.url}`;
  if (steps === null) return 'nothing';
  return steps.person ? '--ask' : '--step-command';
}

export function countsOf(verdicts: readonly Verdict[]): Report['counts'] {
  const count = (wanted: Verdict): number =>
    verdicts.filter((verdict) => verdict === wanted).length;
  return {
    pass: count('pass'),
    fail: count('fail'),
    known: count('known'),
    advice: count('advice'),
    info: count('info'),
    'not-applicable': count('not-applicable'),
    locked: count('locked'),
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

/** The primary requirements of some checks, in their order, each with its checks and their heaviest verdict. */
export function requirementsOf(checks: readonly CheckReport[]): readonly RequirementReport[] {
  return byRequirement(checks).flatMap((group) => {
    const [heaviest] = group.toSorted(byWeight);
    if (heaviest === undefined) return [];
    const { requirement: id, side, level, clause, rule, verdict } = heaviest;
    return [{ id, side, level, clause, rule, verdict, checks: group.map((check) => check.id) }];
  });
}

/** The run in one line: the outcome, then what limits it. */
export function headlineOf(
  outcome: Outcome,
  counts: Report['counts'],
  { checks, suiteErrors, notPutBack }: Pick<Report, 'checks' | 'suiteErrors' | 'notPutBack'>,
): string {
  const notes = [
    note(counts.fail, 'check failed', 'checks failed'),
    note(counts.known, 'known failure', 'known failures'),
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
    note(notPutBack, 'change is not put back', 'changes are not put back'),
    note(counts.advice, 'check gives advice', 'checks give advice'),
    ...lockNotes(checks),
    outcome === 'interrupted' ? null : unjudgedNote(checks),
  ].filter((text) => text !== null);
  const start = outcome === 'conformant' ? conformant(checks) : outcome.replace('-', ' ');
  return notes.length === 0 ? start : `${start}: ${notes.join('; ')}`;
}

function conformant(checks: readonly CheckReport[]): string {
  const wrote = checks.some(
    ({ side, access, verdict }) =>
      side !== 'receiver' &&
      access !== 'read' &&
      verdict !== 'not-applicable' &&
      verdict !== 'locked',
  );
  const locked = checks.some(({ verdict }) => verdict === 'locked');
  return locked && !wrote ? 'conformant, read-only' : 'conformant';
}

/** The checks that send the valid request of one operation. */
const OF_OPERATION = 'api.operation.';

/** The operations whose valid request could not be sent: what they do is not judged at all. */
function unjudgedNote(checks: readonly CheckReport[]): string | null {
  const operations = checks.filter(({ id }) => id.startsWith(OF_OPERATION));
  const open = operations.filter(({ verdict }) => verdict === 'could-not-run');
  if (open.length === 0) return null;
  const names = open.map(({ id }) => id.slice(OF_OPERATION.length)).join(', ');
  return `${open.length} of ${operations.length} operations not judged: ${names}`;
}

function lockNotes(checks: readonly CheckReport[]): (string | null)[] {
  return ['--allow-writes', '--allow-deletes'].map((flag) => {
    const count = checks.filter(
      ({ verdict, message }) => verdict === 'locked' && message.endsWith(flag),
    ).length;
    return note(count, `check needs ${flag}`, `checks need ${flag}`);
  });
}

function note(count: number, one: string, many: string): string | null {
  return count === 0 ? null : counted(count, one, many);
}
