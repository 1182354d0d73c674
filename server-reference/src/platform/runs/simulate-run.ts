import type { AutomationType } from '@hookproof/spec';

import type { StoredFile } from '../state/datasets.ts';
import type { RunStatus, UsageRecord } from '../state/runs.ts';
import type { TransitionStep } from './scheduled-transitions.ts';

/** The outcomes of a run that was started over the API; see {@link OUTCOME_FIELD}. */
export const OUTCOMES = ['completed', 'failed', 'waiting', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The input field that selects the outcome of a run. */
export const OUTCOME_FIELD = '$outcome';

/** The name of the output file of a completed run. */
export const OUTPUT_FILE_NAME = 'result.json';

/** Returns the simulated result of a run: its input as rows. */
export function simulatedOutput(input: object): { rows: { field: string; value: unknown }[] } {
  const entries = Object.entries(input).filter(([field]) => field !== OUTCOME_FIELD);
  return { rows: entries.map(([field, value]) => ({ field, value })) };
}

/** Returns the simulated usage of a run, which depends only on its type and input. */
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

const PATHS: Readonly<Record<Outcome, readonly RunStatus[]>> = {
  completed: ['running', 'finalizing', 'completed'],
  failed: ['running', 'failed'],
  waiting: ['running', 'waiting'],
  rejected: ['rejected'],
};

/** The average delay before the transition to a status, in milliseconds. */
const DELAYS: Readonly<Partial<Record<RunStatus, number>>> = {
  pending: 200,
  running: 400,
  waiting: 900,
  finalizing: 1_500,
};
const DEFAULT_DELAY = 300;

export interface Simulation {
  readonly type: AutomationType;
  readonly outcome: Outcome;
  readonly usage: UsageRecord;
  /** The output after completion. */
  readonly output: unknown;
  readonly outputFiles: StoredFile[];
  /** Returns a number from 0 to below 1 for a key. */
  readonly random: (key: string) => number;
}

/**
 * Returns the transitions of a simulated run: from `created` for an agent, from `pending` for a workflow,
 * to its outcome. The usage is set with `finalizing`, `waiting` or `failed`.
 */
export function simulatedTransitions(simulation: Simulation): TransitionStep[] {
  const { type, outcome, random } = simulation;
  const queued: RunStatus[] = type === 'agent' ? ['pending'] : [];
  return [...queued, ...PATHS[outcome]].map((status) => {
    const afterMilliseconds = Math.round(
      (DELAYS[status] ?? DEFAULT_DELAY) * (0.5 + random(status)),
    );
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
