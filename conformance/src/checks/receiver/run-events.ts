import type { CheckContext } from '../../check-kit/check.ts';

/** An event of a run that no other check uses, ready for delivery. */
export interface RunEvent {
  readonly id: string;
  readonly body: string;
}

interface Run {
  /** Unique part of the ids of the run and its events. */
  readonly name: string;
  /** The initial status and those that follow, a second apart. */
  readonly statuses: readonly string[];
  /** When it reached the last status, in milliseconds since the epoch. */
  readonly endedAt: number;
  readonly test: boolean;
}

/** The events of a new workflow run, oldest first: its creation, then each status change. */
export function realRun(
  context: CheckContext,
  name: string,
  statuses: readonly string[],
): readonly RunEvent[] {
  return eventsOf(runOf(context, name, statuses, false));
}

/** The same events as test events. */
export function testRun(
  context: CheckContext,
  name: string,
  statuses: readonly string[],
): readonly RunEvent[] {
  return eventsOf(runOf(context, name, statuses, true));
}

/** The creation of a new run, which depends on no other event. */
export function realEvent(context: CheckContext, name: string): RunEvent {
  return eventOf(runOf(context, name, ['pending'], false), 0);
}

function runOf(
  context: CheckContext,
  name: string,
  statuses: readonly string[],
  test: boolean,
): Run {
  const endedAt = context.now();
  return { name: `suite_${name}_${context.attempt}_${endedAt}`, statuses, endedAt, test };
}

function eventsOf(run: Run): readonly RunEvent[] {
  return run.statuses.map((_status, step) => eventOf(run, step));
}

function eventOf({ name, statuses, endedAt, test }: Run, step: number): RunEvent {
  const timeOf = (other: number): string =>
    new Date(endedAt - (statuses.length - 1 - other) * 1_000).toISOString();
  const id = `whev_${name}_${step}`;
  const status = statuses[step];
  const started = statuses.indexOf('running');
  const run = {
    id: `run_${name}`,
    automationId: 'wf_suite',
    type: 'workflow',
    status,
    triggerType: 'api',
    createdAt: timeOf(0),
    startedAt: started >= 0 && step >= started ? timeOf(started) : null,
    completedAt: status === 'completed' ? timeOf(step) : null,
  };
  const change = step === 0 ? {} : { previousStatus: statuses[step - 1], currentStatus: status };
  const event = {
    id,
    type: step === 0 ? 'run.created' : 'run.status_changed',
    apiVersion: '2026-07-01',
    createdAt: timeOf(step),
    test,
    data: { run, ...change },
  };
  return { id, body: JSON.stringify(event) };
}
