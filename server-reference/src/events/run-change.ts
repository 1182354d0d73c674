import type { AutomationType, RunSnapshot, RunStatus } from '@hookproof/spec';

import { isoTime } from '../clock/clock.ts';
import type { AutomationRecord } from '../store/automations.ts';
import type { StoredFile } from '../store/datasets.ts';
import type { DeliveryRecord } from '../store/deliveries.ts';
import type { WorldId } from '../store/ids.ts';
import type { DeepReadonly } from '../store/read-only.ts';
import type { RunOrigin, RunRecord, RunStep, UsageRecord } from '../store/runs.ts';
import { nextId } from '../store/seed.ts';
import type { State } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import { emitRunEvent } from './event.ts';
import { countEvaluation, countExecution, countResult } from './run-counts.ts';
import { runSnapshot } from './run-snapshot.ts';
import { canMove, impliesStart, isTerminal, RunTransitionError } from './run-transitions.ts';
import { withCancellation } from './scheduled-transitions.ts';

/** Returns the usage of a run that has not started. */
export function noUsage(): UsageRecord {
  return {
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    creditsCharged: 0,
    llmCallCount: 0,
    ocrPagesProcessed: 0,
    agentTurns: 0,
  };
}

export interface NewRun {
  readonly worldId: WorldId;
  readonly automation: DeepReadonly<AutomationRecord>;
  readonly origin: RunOrigin;
  readonly triggerType: string;
  /** Default: `created` for agents, `pending` for workflows. */
  readonly status?: RunStatus | undefined;
  readonly output?: unknown;
  readonly input?: unknown;
  /** Their bytes are already stored in the blobs. */
  readonly outputFiles?: readonly StoredFile[];
  readonly usage?: UsageRecord;
  /** Next first. Default none. */
  readonly scheduledTransitions?: readonly RunStep[];
  /** Default none. */
  readonly details?: RunDetails;
}

/** What a caller decides about a run beside its input. */
export type RunDetails = Readonly<
  Pick<
    RunRecord,
    'startedBy' | 'version' | 'inputFiles' | 'overrides' | 'metadata' | 'retry' | 'evaluation'
  >
>;

/** Returns the first status of a run. An agent's run is prepared before it enters the queue. */
export function firstStatus(type: AutomationType): RunStatus {
  return type === 'agent' ? 'created' : 'pending';
}

/** The result of a change: the run, and the deliveries for the sender. */
export interface RunChange {
  readonly run: DeepReadonly<RunRecord>;
  readonly deliveries: readonly DeepReadonly<DeliveryRecord>[];
}

/** Creates a run and, for a top-level one, its `run.created`. */
export function createRun(state: State, now: number, input: NewRun): RunChange {
  const createdAt = isoTime(now);
  const { automation } = input;
  const status = input.status ?? firstStatus(automation.type);
  const run: RunRecord = {
    id: nextId(state, 'exec_'),
    worldId: input.worldId,
    tenantId: automation.tenantId,
    automationId: automation.id,
    type: automation.type,
    status,
    triggerType: input.triggerType,
    createdAt,
    startedAt: impliesStart(status) ? createdAt : null,
    completedAt: isTerminal(status) ? createdAt : null,
    ...(input.output === undefined ? {} : { output: input.output }),
    ...(input.input === undefined ? {} : { input: input.input }),
    outputFiles: [...(input.outputFiles ?? [])],
    usage: input.usage ?? noUsage(),
    scheduledTransitions: [...(input.scheduledTransitions ?? [])],
    origin: input.origin,
    history: [{ status, at: createdAt }],
    ...input.details,
  };
  state.runs.add(run);
  countExecution(state, run);
  const deliveries = emitRunEvent(state, now, run);
  return { run, deliveries };
}

/** A transition. Output, files and usage are unchanged if absent. */
export interface RunMove extends Readonly<Omit<RunStep, 'at' | 'output'>> {
  readonly output?: unknown;
  /** The transitions after this one. Default none. */
  readonly scheduledTransitions?: readonly RunStep[];
}

/**
 * Moves a run and, for a top-level one, emits `run.status_changed`.
 *
 * @throws {RunTransitionError} for an invalid transition, before anything has changed
 */
export function moveRun(
  state: State,
  now: number,
  { id, status: previousStatus, history }: DeepReadonly<RunRecord>,
  move: RunMove,
): RunChange {
  if (!canMove(previousStatus, move.status)) {
    throw new RunTransitionError(previousStatus, move.status);
  }
  const at = latest(isoTime(now), history.at(-1)?.at);
  const run = state.runs.edit(id);
  run.status = move.status;
  run.history.push({ status: move.status, at });
  if (impliesStart(move.status)) run.startedAt ??= at;
  if (isTerminal(move.status)) run.completedAt = at;
  if (move.output !== undefined) run.output = move.output;
  run.outputFiles = move.outputFiles ?? run.outputFiles;
  run.usage = move.usage ?? run.usage;
  if (move.scores !== undefined) run.scores = move.scores;
  run.scheduledTransitions = withCancellation(run, move.scheduledTransitions ?? [], now);
  countResult(state, run);
  countEvaluation(state, run);
  const deliveries = emitRunEvent(state, now, run, previousStatus);
  return { run, deliveries };
}

/** Returns the later date, because the events of a run never go backwards when the clock is set back. */
function latest(date: string, last: string = date): string {
  return last > date ? last : date;
}

/** The services of {@link commitRunChange}. */
export interface RunChangeServices {
  readonly store: Store;
  readonly sender: { enqueue(deliveries: readonly DeepReadonly<DeliveryRecord>[]): void };
  readonly runWorker: { take(run: DeepReadonly<RunRecord>): void };
}

/**
 * Commits a change of a run. When it is durable, passes its deliveries to the sender and its scheduled
 * transitions to the run worker.
 *
 * @returns the run after the change
 */
export async function commitRunChange(
  services: RunChangeServices,
  mutate: (state: State) => RunChange,
): Promise<RunSnapshot> {
  return commitRunChanges(services, (state) => {
    const change = mutate(state);
    return { changes: [change], result: runSnapshot(change.run) };
  });
}

/** Changes of several runs in one commit, and what the caller wants to know about them. */
interface RunChanges<T> {
  readonly changes: readonly RunChange[];
  readonly result: T;
}

/** Commits changes of runs as {@link commitRunChange} does, and returns their result. */
export async function commitRunChanges<T>(
  { store, sender, runWorker }: RunChangeServices,
  mutate: (state: State) => RunChanges<T>,
): Promise<DeepReadonly<T>> {
  const { changes, result } = await store.commit(mutate);
  for (const { run, deliveries } of changes) {
    sender.enqueue(deliveries);
    runWorker.take(run);
  }
  return result;
}
