import type { AutomationType, RunStatus } from '@hookproof/spec';

import type { DeliveryRecord } from '../state/delivery.ts';
import type { AutomationRecord } from '../state/automation.ts';
import type { RunOrigin, RunRecord, RunStep, UsageRecord } from '../state/run.ts';
import type { StoredFile } from '../state/stored-file.ts';
import { listNewestFirst } from '../store/list-newest-first.ts';
import { nextId } from '../store/next-id.ts';
import type { State } from '../store/state.ts';
import { emitRunEvent } from './emit-run-event.ts';
import { noUsage } from './no-usage.ts';
import { pruneHistory } from './prune-history.ts';
import { impliesStart, isTerminal } from './run-transitions.ts';

export interface NewRun {
  readonly worldId: string;
  readonly automation: AutomationRecord;
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
  readonly course?: readonly RunStep[];
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

/** Creates a run and, for a top-level one, its `run.created`. Call it inside a commit. */
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
    course: [...(input.course ?? [])],
    origin: input.origin,
    history: [{ status, at: createdAt }],
  };
  listNewestFirst(run, state.runs, state.listed.runs);
  const deliveries = emitRunEvent(state, now, run);
  pruneHistory(state);
  return { run, deliveries };
}
