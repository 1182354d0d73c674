import type { AutomationType } from '@hookproof/spec';

import type { RunOverrides } from '../../generated/companions.ts';
import { STEPS } from '../../api/runs/run-steps.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { StoredFile } from '../../store/datasets.ts';
import type { RunStatus, UsageRecord } from '../../store/runs.ts';
import type { TransitionStep } from '../../events/scheduled-transitions.ts';

/** The outcomes of a run that was started over the API; see {@link OUTCOME_FIELD}. */
export const OUTCOMES = ['completed', 'failed', 'waiting', 'rejected'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The input field that selects the outcome of a run. */
export const OUTCOME_FIELD = '$outcome';

/** Returns the outcome that the input of a run selects; undefined for an unknown one. */
export function outcomeOf(input: object): Outcome | undefined {
  const given: unknown = Object.hasOwn(input, OUTCOME_FIELD)
    ? Reflect.get(input, OUTCOME_FIELD)
    : 'completed';
  return OUTCOMES.find((outcome) => outcome === given);
}

/** The name of the output file of a completed run. */
export const OUTPUT_FILE_NAME = 'result.json';

/** Returns the simulated result of a run: its input as rows. */
export function simulatedOutput(input: object): { rows: { field: string; value: unknown }[] } {
  const entries = Object.entries(input).filter(([field]) => field !== OUTCOME_FIELD);
  return { rows: entries.map(([field, value]) => ({ field, value })) };
}

/** What a run is made from. */
export interface Work {
  readonly type: AutomationType;
  readonly input: object;
  /** Outputs by step. Runs of agents ignore them. */
  readonly overrides?: DeepReadonly<RunOverrides> | undefined;
}

/** Returns the output of a run: each step works on the output of the one before, or has one already. */
export function outputOf({ type, input, overrides }: Work): object {
  const given = type === 'workflow' ? (overrides?.steps ?? {}) : {};
  const read = Object.hasOwn(given, STEPS.read) ? (given[STEPS.read] ?? {}) : input;
  const made = Object.hasOwn(given, STEPS.process) ? given[STEPS.process] : undefined;
  return made ?? simulatedOutput(read);
}

/** Returns whether a run saves its output as a file: a step that is not executed saves nothing. */
export function savesOutput({ type, overrides }: Work): boolean {
  return type === 'agent' || !Object.hasOwn(overrides?.steps ?? {}, STEPS.save);
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
  if (typeof value === 'object' && value !== null && '$file' in value)
    return isDocument(value.$file);
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

/** More than the longest time of a run that completes: 1.5 times the average of each of its delays. */
export const MAX_RUN_MILLISECONDS = 4_000;

interface Simulation {
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
