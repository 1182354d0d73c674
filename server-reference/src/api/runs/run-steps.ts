import type { RunStep as PresentedStep } from '@hookproof/spec';

import { isoTime } from '../../clock/clock.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { isTerminal } from '../../events/run-transitions.ts';
import type { RunRecord, RunStatus } from '../../store/runs.ts';

/** The steps of every workflow, in their order. */
export const STEPS = {
  /** Reads the input. Its output is what the next step works on. */
  read: 'read-input',
  /** Makes the output of the run. */
  process: 'process',
  /** Saves the output as a file. */
  save: 'save-output',
} as const;

/** A status of a run, from its beginning to that of the next one. Times in milliseconds. */
export interface Phase {
  readonly status: RunStatus;
  readonly start: number;
  /** Null for the current status. */
  readonly end: number | null;
}

/** Returns the statuses of a run so far, oldest first. */
export function phasesOf({ history }: DeepReadonly<RunRecord>): Phase[] {
  return history.map(({ status, at }, index) => {
    const next = history[index + 1];
    return { status, start: Date.parse(at), end: next === undefined ? null : Date.parse(next.at) };
  });
}

/** A step with its times, which may lie in the future. Null where they are unknown. */
interface Span {
  readonly name: string;
  readonly start: number | null;
  readonly end: number | null;
  /** Reads the output; absent without one. */
  readonly output?: () => unknown;
}

/** The first step takes this share of the time until the run waits, saves or ends. */
const READ_SHARE = 1 / 4;
/** The duration of the first step while that time is unknown. */
const READ_MILLISECONDS = 100;
/** Bounds the turns of an agent. */
const MAX_TURNS = 12;

/**
 * Returns the steps of a workflow's run, or the turns of an agent's run. They follow from the statuses and
 * the scheduled transitions of the run, so nothing is stored for them.
 *
 * @param now - milliseconds since the epoch
 */
export function runSteps(run: DeepReadonly<RunRecord>, now: number): PresentedStep[] {
  const spans = run.type === 'workflow' ? workflowSpans(run) : agentSpans(run);
  return spans.map((span) => presentSpan(span, run, now));
}

function workflowSpans(run: DeepReadonly<RunRecord>): Span[] {
  const saving = phasesOf(run).find(({ status }) => status === 'finalizing');
  const ended = endOf(run);
  const start = startOf(run);
  const readEnd = readEndOf(run);
  const overrides: Readonly<Record<string, unknown>> = run.overrides?.steps ?? {};
  const savingStart = saving?.start ?? (run.status === 'completed' ? ended : null);
  const spans: Span[] = [
    { name: STEPS.read, start, end: readEnd, output: () => run.input },
    {
      name: STEPS.process,
      start: readEnd,
      end: savingStart ?? ended,
      output: () => run.output,
    },
    {
      name: STEPS.save,
      start: savingStart,
      end: saving?.end ?? (savingStart === null ? null : ended),
      output: () => ({ files: run.outputFiles.map(({ path }) => path) }),
    },
  ];
  return spans.map((span) => {
    const { name, start: at } = span;
    const isGiven = Object.hasOwn(overrides, name);
    return isGiven ? { name, start: at, end: at, output: () => overrides[name] } : span;
  });
}

function readEndOf(run: DeepReadonly<RunRecord>): number | null {
  const start = startOf(run);
  if (start === null) return null;
  const working = phasesOf(run).find(({ status }) => status === 'running');
  const until = working?.end ?? endOf(run) ?? plannedEnd(run);
  return until === null
    ? start + READ_MILLISECONDS
    : Math.round(start + (until - start) * READ_SHARE);
}

function startOf({ startedAt }: DeepReadonly<RunRecord>): number | null {
  return startedAt === null ? null : Date.parse(startedAt);
}

/** The turns share the time between the start of the run and the end of its main work. */
function agentSpans(run: DeepReadonly<RunRecord>): Span[] {
  const phases = phasesOf(run);
  const start = startOf(run);
  const saving = phases.find(({ status }) => status === 'finalizing');
  const end = saving?.start ?? endOf(run) ?? (run.status === 'running' ? plannedEnd(run) : null);
  const count = turnsOf(run);
  return Array.from({ length: count }, (_, index): Span => {
    const name = `turn-${index + 1}`;
    if (start === null) return { name, start: null, end: null };
    if (end === null) return { name, start: index === 0 ? start : null, end: null };
    const at = (turn: number): number => Math.round(start + ((end - start) * turn) / count);
    const isLast = index === count - 1;
    const output = (): unknown => (isLast ? run.output : undefined);
    return { name, start: at(index), end: at(index + 1), output };
  });
}

function turnsOf({ usage, input }: DeepReadonly<RunRecord>): number {
  const turns = usage.agentTurns > 0 ? usage.agentTurns : 1 + fieldsOf(input);
  return Math.min(MAX_TURNS, Math.max(1, Math.round(turns)));
}

function fieldsOf(input: unknown): number {
  return typeof input === 'object' && input !== null ? Object.keys(input).length : 0;
}

/** Returns the time of the next scheduled transition; null without one. */
function plannedEnd({ scheduledTransitions: [next] }: DeepReadonly<RunRecord>): number | null {
  return next === undefined ? null : Date.parse(next.at);
}

function endOf({ completedAt }: DeepReadonly<RunRecord>): number | null {
  return completedAt === null ? null : Date.parse(completedAt);
}

function presentSpan(
  { name, start, end, output }: Span,
  run: DeepReadonly<RunRecord>,
  now: number,
): PresentedStep {
  const hasEnded = isTerminal(run.status);
  if (start === null || (start > now && !hasEnded)) {
    const status = hasEnded ? 'skipped' : 'pending';
    return { stepName: name, status, startedAt: null, completedAt: null };
  }
  const startedAt = isoTime(start);
  if (end === null || (end > now && !hasEnded)) {
    const status = run.status === 'waiting' ? 'waiting' : 'running';
    return { stepName: name, status, startedAt, completedAt: null };
  }
  const status = endStatus(end, run);
  const made = status === 'completed' ? output?.() : undefined;
  return {
    stepName: name,
    status,
    startedAt,
    completedAt: isoTime(end),
    ...(made === undefined ? {} : { output: made }),
    ...(status === 'failed' ? { error: `the step ${name} failed` } : {}),
  };
}

/** A step that ends together with a failed or cancelled run has failed or was cancelled. */
function endStatus(
  end: number,
  run: DeepReadonly<RunRecord>,
): 'completed' | 'failed' | 'cancelled' {
  const isLast = end === endOf(run);
  return isLast && (run.status === 'failed' || run.status === 'cancelled')
    ? run.status
    : 'completed';
}

/** Returns why a run has failed or was rejected; null for another end. */
export function runError(run: DeepReadonly<RunRecord>): string | null {
  if (run.status === 'rejected') return 'The run was rejected before it started.';
  if (run.status !== 'failed') return null;
  const failed = runSteps(run, endOf(run) ?? 0).find(({ status }) => status === 'failed');
  return failed === undefined ? 'The run failed.' : `The run failed in ${failed.stepName}.`;
}
