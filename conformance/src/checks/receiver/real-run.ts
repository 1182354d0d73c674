import type { RunStatus } from '@hookproof/spec';

import type { CheckContext } from '../../check-kit/check.ts';
import { runEvent } from '../../signing/run-event.ts';
import type { SuiteEvent } from '../../signing/run-event.ts';
import { uniqueName } from './deliver.ts';

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
  statuses: readonly RunStatus[],
  { test = false, runType = 'workflow', step = 1_000, last = {} }: RunFacts = {},
): readonly SuiteEvent[] {
  const endedAt = context.now();
  const runName = uniqueName(context, label);
  const timeOf = (position: number): number => endedAt - (statuses.length - 1 - position) * step;
  const started = statuses.indexOf('running');
  return statuses.map((status, position) => {
    const previousStatus = statuses[position - 1];
    return runEvent({
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
  });
}

/** The creation of a new run, which depends on no other event. */
export function realEvent(context: CheckContext, label: string): SuiteEvent {
  const at = context.now();
  return runEvent({ name: uniqueName(context, label), test: false, status: 'pending', at });
}
