import type { AutomationType } from '@hookproof/spec';

import type { StoredFile } from '../state/datasets.ts';
import type { RunStatus, UsageRecord } from '../state/runs.ts';
import type { TransitionStep } from './scheduled-transitions.ts';

/** How a run that was started over the API may come out; see {@link OUTCOME_FIELD}. */
export const OUTCOMES = ['completed', 'failed', 'waiting', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The field of a run's input that chooses its outcome. */
export const OUTCOME_FIELD = '$outcome';

/** The name of the file that a completed run produces. */
export const OUTPUT_FILE_NAME = 'result.json';

/** Nobody works here: the result of a run is its input, laid out as rows. */
export function simulatedOutput(input: object): { rows: { field: string; value: unknown }[] } {
  const entries = Object.entries(input).filter(([field]) => field !== OUTCOME_FIELD);
  return { rows: entries.map(([field, value]) => ({ field, value })) };
}

/** What the work on this input would have taken. */
export function simulatedUsage(type: AutomationType, input: object): UsageRecord {
  const values: unknown[] = Object.values(input);
  const pages = values.filter(isDocument).length;
  const tokens = {
    input: 640 + Math.ceil(JSON.stringify(input).length / 4),
    output: 96 + 24 * values.length,
    cacheRead: 512,
    cacheWrite: 0,
  };
  const agentTurns = type === 'agent' ? 1 + values.length : 0;
  return {
    tokens,
    creditsCharged: Math.round((tokens.input + 4 * tokens.output) / 10 + 25 * pages) / 100,
    llmCallCount: 1 + agentTurns,
    ocrPagesProcessed: pages,
    agentTurns,
  };
}

function isDocument(value: unknown): boolean {
  return typeof value === 'string' && /\.(pdf|png|jpe?g|tiff?)$/i.test(value);
}

const WAYS: Readonly<Record<Outcome, readonly RunStatus[]>> = {
  completed: ['running', 'finalizing', 'completed'],
  failed: ['running', 'failed'],
  waiting: ['running', 'waiting'],
  rejected: ['rejected'],
};

/** About how long a run stays in the status before it moves to this one, in milliseconds. */
const PAUSES: Readonly<Partial<Record<RunStatus, number>>> = {
  pending: 200,
  running: 400,
  waiting: 900,
  finalizing: 1_500,
};
const USUAL_PAUSE = 300;

export interface Simulation {
  readonly type: AutomationType;
  readonly outcome: Outcome;
  readonly usage: UsageRecord;
  /** What the run has once it is completed. */
  readonly output: unknown;
  readonly outputFiles: StoredFile[];
  /** From 0 to below 1, for the key of a draw. */
  readonly random: (key: string) => number;
}

/**
 * The moves of a run that goes its way by itself: from `created` for an agent, from `pending` for a
 * workflow, to its outcome. It has its usage once the work is over, or has failed or paused.
 */
export function simulatedTransitions(simulation: Simulation): TransitionStep[] {
  const { type, outcome, random } = simulation;
  const queued: RunStatus[] = type === 'agent' ? ['pending'] : [];
  return [...queued, ...WAYS[outcome]].map((status) => {
    const afterMilliseconds = Math.round((PAUSES[status] ?? USUAL_PAUSE) * (0.5 + random(status)));
    return Object.assign({ status, afterMilliseconds }, resultAt(status, simulation));
  });
}

function resultAt(
  status: RunStatus,
  { usage, output, outputFiles }: Simulation,
): Partial<TransitionStep> {
  if (status === 'completed') return { output, outputFiles };
  return status === 'waiting' || status === 'finalizing' || status === 'failed' ? { usage } : {};
}
