import type { RunStatus } from '@hookproof/spec';

import type { CheckContext } from '../../check-kit/check.ts';
import { runEvent } from '../../signing/run-event.ts';
import type { SuiteEvent } from '../../signing/run-event.ts';
import { uniqueName } from './deliver.ts';

/** A run by its statuses, the first of which it was created in. */
export type Path = readonly RunStatus[];

/** How a run can come to each terminal status. */
export const PATHS: readonly Path[] = [
  ['created', 'pending', 'running', 'waiting', 'running', 'finalizing', 'completed'],
  ['pending', 'running', 'failed'],
  ['pending', 'cancelled'],
  ['created', 'rejected'],
];

/** What a receiver can tell an event by, to handle it or to ignore it: receiver.ignored-kinds. */
export interface EventKind {
  readonly runType: 'workflow' | 'agent';
  /** Undefined for a creation. */
  readonly previousStatus: RunStatus | undefined;
  readonly status: RunStatus;
}

/** An event of a run that is no test. */
export interface RealEvent extends SuiteEvent {
  readonly kind: EventKind;
}

/** How the events of a run differ from those of a workflow run without output. */
interface RunFacts {
  /** Default false. */
  readonly test?: boolean;
  readonly runType?: 'workflow' | 'agent';
  /** Milliseconds between two events. Default 1000. */
  readonly step?: number;
  /** More members of `data.run` in the last event. */
  readonly last?: object;
}

/** The events of a new run, oldest first: its creation, then each status change. The last one is of now. */
export function runOf(
  context: CheckContext,
  label: string,
  statuses: Path,
  { test = false, runType = 'workflow', step = 1_000, last = {} }: RunFacts = {},
): readonly RealEvent[] {
  const endedAt = context.now();
  const runName = uniqueName(context, label);
  const timeOf = (position: number): number => endedAt - (statuses.length - 1 - position) * step;
  const started = statuses.indexOf('running');
  return statuses.map((status, position) => {
    const previousStatus = statuses[position - 1];
    const event = runEvent({
      name: `${runName}s${position}`,
      runName,
      test,
      runType,
      status,
      ...(previousStatus === undefined ? {} : { previousStatus }),
      at: timeOf(position),
      runCreatedAt: timeOf(0),
      startedAt: started >= 0 && position >= started ? timeOf(started) : null,
      run: position === statuses.length - 1 ? last : {},
    });
    return { ...event, kind: { runType, previousStatus, status } };
  });
}

/** An event in words. */
export function nameOf({ runType, previousStatus, status }: EventKind): string {
  const run = runType === 'agent' ? 'an agent run' : 'a workflow run';
  return previousStatus === undefined
    ? `the creation of ${run} in ${status}`
    : `the change of ${run} from ${previousStatus} to ${status}`;
}
