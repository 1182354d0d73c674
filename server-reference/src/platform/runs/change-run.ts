import type { AutomationType, RunSnapshot, RunStatus } from '@hookproof/spec';

import { ApiError, issue } from '../http/api-error.ts';
import { runSnapshot } from '../resources/present.ts';
import type { AutomationRecord } from '../state/automations.ts';
import type { StoredFile } from '../state/datasets.ts';
import type { DeliveryRecord } from '../state/deliveries.ts';
import type { WorldId } from '../state/ids.ts';
import { canMove, impliesStart, isTerminal, RunTransitionError } from '../state/run-transitions.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { RunOrigin, RunRecord, RunStep, UsageRecord } from '../state/runs.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import { pruneHistory } from '../store/prune-history.ts';
import { listNewestFirst } from '../store/records.ts';
import { nextId } from '../store/seed.ts';
import { emitRunEvent } from './events.ts';

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
}

/** Returns the first status of a run. An agent's run is prepared before it enters the queue. */
export function firstStatus(type: AutomationType): RunStatus {
  return type === 'agent' ? 'created' : 'pending';
}

/** The result of a change: the run, and the deliveries for the sender. */
export interface RunChange {
  readonly run: RunRecord;
  readonly deliveries: readonly DeliveryRecord[];
}

/** Creates a run and, for a top-level one, its `run.created`. */
export function createRun(state: State, now: number, input: NewRun): RunChange {
  const createdAt = new Date(now).toISOString();
  const { automation } = input;
  const status = input.status ?? firstStatus(automation.type);
  const run: RunRecord = {
    id: nextId(state, 'run_'),
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
  };
  listNewestFirst(run, state.runs, state.listed.runs);
  const deliveries = emitRunEvent(state, now, run);
  pruneHistory(state);
  return { run, deliveries };
}

/** A transition. Output, files and usage are unchanged if absent. */
export interface RunMove extends Readonly<Omit<RunStep, 'at'>> {
  /** The transitions after this one. Default none. */
  readonly scheduledTransitions?: readonly RunStep[];
}

/**
 * Moves a run and, for a top-level one, emits `run.status_changed`.
 *
 * @throws {RunTransitionError} for an invalid transition, before anything has changed
 */
export function moveRun(state: State, now: number, run: RunRecord, move: RunMove): RunChange {
  const previousStatus = run.status;
  if (!canMove(previousStatus, move.status)) {
    throw new RunTransitionError(previousStatus, move.status);
  }
  const at = new Date(now).toISOString();
  run.status = move.status;
  run.history.push({ status: move.status, at });
  if (impliesStart(move.status)) run.startedAt ??= at;
  if (isTerminal(move.status)) run.completedAt = at;
  if (move.output !== undefined) run.output = move.output;
  run.outputFiles = move.outputFiles ?? run.outputFiles;
  run.usage = move.usage ?? run.usage;
  run.scheduledTransitions = [...(move.scheduledTransitions ?? [])];
  const deliveries = emitRunEvent(state, now, run, previousStatus);
  pruneHistory(state);
  return { run, deliveries };
}

/** The services of {@link commitRunChange}. */
interface RunChangeServices {
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
  { store, sender, runWorker }: RunChangeServices,
  mutate: (state: State) => RunChange,
): Promise<RunSnapshot> {
  const { run, snapshot, deliveries } = await store.commit((state) => {
    const change = mutate(state);
    return { ...change, snapshot: runSnapshot(change.run) };
  });
  sender.enqueue(deliveries);
  runWorker.take(run);
  return snapshot;
}

/** Converts a {@link RunTransitionError} to 409 `invalid_transition`. Rethrows other errors. */
export function refuseTransition(field: string, hint: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RunTransitionError)) throw error;
    throw new ApiError(409, [issue('invalid_transition', field, error.message)], { hint });
  };
}
