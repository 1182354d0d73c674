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

/** What a run has used before it began. */
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
  /** Their bytes lie in the blobs already. */
  readonly outputFiles?: readonly StoredFile[];
  readonly usage?: UsageRecord;
  /** The moves that the run will make by itself, the next one first. Default: none. */
  readonly scheduledTransitions?: readonly RunStep[];
}

/** Where a run begins: an agent's has to be prepared before it enters the queue. */
export function firstStatus(type: AutomationType): RunStatus {
  return type === 'agent' ? 'created' : 'pending';
}

/** What a change of a run leaves behind: the run, and the deliveries that the sender has to make. */
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

/** Where a run goes, and what it has then; without output, files or usage it keeps those that it has. */
export interface RunMove extends Readonly<Omit<RunStep, 'at'>> {
  /** The moves that the run will make by itself from here. Default: none, it is moved by hand. */
  readonly scheduledTransitions?: readonly RunStep[];
}

/**
 * Moves a run and, for a top-level one, emits `run.status_changed`.
 *
 * @throws {RunTransitionError} when the graph has no such move; nothing has changed then
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

/** What a committed change is handed to. */
interface RunChangeServices {
  readonly store: Store;
  readonly sender: { enqueue(deliveries: readonly DeepReadonly<DeliveryRecord>[]): void };
  readonly runWorker: { take(run: DeepReadonly<RunRecord>): void };
}

/**
 * Commits a change of a run, then hands its deliveries to the sender and its scheduledTransitions to the worker:
 * never before they are durable.
 *
 * @returns the run as the change left it
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

/** Answers a move that the graph does not have with 409 `invalid_transition`; other errors pass. */
export function refuseTransition(field: string, hint: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RunTransitionError)) throw error;
    throw new ApiError(409, [issue('invalid_transition', field, error.message)], { hint });
  };
}
