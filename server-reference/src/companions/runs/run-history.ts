import type {
  RunEventList,
  RunHistoryEvent,
  RunScoreList,
  RunStepList,
  RunTrace,
  RunTraceEvent,
} from '../../generated/companions.ts';
import { phasesOf, runError, runSteps } from '../../api/runs/run-steps.ts';
import type { Phase } from '../../api/runs/run-steps.ts';
import { findRun } from '../../api/runs/runs.ts';
import type { Handler, Services } from '../../api/services.ts';
import { isoTime } from '../../clock/clock.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { isTerminal } from '../../events/run-transitions.ts';
import type { RunRecord, RunStatus } from '../../store/runs.ts';

/** `GET /v1/runs/{id}/steps`: the steps of a workflow, or the turns of an agent. */
export function listRunSteps({ store, clock }: Services): Handler {
  return async function handle(request): Promise<RunStepList> {
    return { steps: runSteps(findRun(store.state, request), clock.now()) };
  };
}

/** `GET /v1/runs/{id}/events`: the changes of a run, oldest first. */
export function listRunEvents({ store }: Services): Handler {
  return async function handle(request): Promise<RunEventList> {
    return { events: runEvents(findRun(store.state, request)) };
  };
}

/** `GET /v1/runs/{id}/trace`: the phases and steps of a run, ordered by time. */
export function getRunTrace({ store, clock }: Services): Handler {
  return async function handle(request): Promise<RunTrace> {
    return { events: runTrace(findRun(store.state, request), clock.now()) };
  };
}

/** `GET /v1/runs/{id}/scores`: the results of the evaluators. Empty unless an evaluation run has ended. */
export function listRunScores({ store }: Services): Handler {
  return async function handle(request): Promise<DeepReadonly<RunScoreList>> {
    return { scores: findRun(store.state, request).scores ?? [] };
  };
}

/** Returns the changes of a run, oldest first: one for each status, one for a request to cancel it. */
function runEvents(run: DeepReadonly<RunRecord>): RunHistoryEvent[] {
  const events = run.history.map(({ status, at }, index): RunHistoryEvent => ({
    type: index === 0 ? 'run.created' : 'run.status_changed',
    timestamp: at,
    status,
    message: index === 0 ? `The run was created as ${status}.` : messageOf(run, status),
  }));
  const { cancelRequestedAt } = run;
  if (cancelRequestedAt === undefined) return events;
  const isEarlier = ({ timestamp }: RunHistoryEvent): boolean => timestamp <= cancelRequestedAt;
  const request: RunHistoryEvent = {
    type: 'run.cancel_requested',
    timestamp: cancelRequestedAt,
    status: null,
    message: 'A request to cancel the run was received.',
  };
  return [...events.filter(isEarlier), request, ...events.filter((event) => !isEarlier(event))];
}

function messageOf(run: DeepReadonly<RunRecord>, status: RunStatus): string {
  return isTerminal(status) ? (runError(run) ?? `The run is ${status}.`) : `The run is ${status}.`;
}

/** The phases of an execution by status. `queued` is a phase and no status. */
const PHASES: Readonly<Record<RunStatus, string>> = {
  created: 'preparing',
  pending: 'queued',
  running: 'running',
  waiting: 'waiting',
  finalizing: 'finalizing',
  completed: 'ended',
  failed: 'ended',
  cancelled: 'ended',
  rejected: 'ended',
};

/**
 * Returns the phases of a run, and the steps of a workflow or the turns of an agent, ordered by time. What
 * has not started is left out.
 *
 * @param now - milliseconds since the epoch
 */
export function runTrace(run: DeepReadonly<RunRecord>, now: number): RunTraceEvent[] {
  const type = run.type === 'workflow' ? 'step' : 'turn';
  const steps = runSteps(run, now)
    .filter(({ startedAt }) => startedAt !== null)
    .map(({ stepName, status, startedAt, completedAt, error }): RunTraceEvent => {
      const phase = phaseAt(run, startedAt);
      return { type, phase, stepName, status, startedAt, completedAt, message: error ?? null };
    });
  const phases = phasesOf(run).map((phase) => phaseEvent(phase, run));
  return [...phases, ...steps].toSorted((a, b) =>
    compareText(a.startedAt ?? '', b.startedAt ?? ''),
  );
}

function phaseEvent({ status, start, end }: Phase, run: DeepReadonly<RunRecord>): RunTraceEvent {
  const startedAt = isoTime(start);
  const hasEnded = isTerminal(status);
  return {
    type: 'phase',
    phase: PHASES[status],
    status: hasEnded ? status : end === null ? 'running' : 'completed',
    startedAt,
    completedAt: hasEnded ? startedAt : end === null ? null : isoTime(end),
    message: messageOf(run, status),
  };
}

function phaseAt({ history }: DeepReadonly<RunRecord>, startedAt: string | null): string {
  const begun = history.filter(({ at }) => at <= (startedAt ?? ''));
  const current = begun.findLast(({ status }) => !isTerminal(status));
  return PHASES[current?.status ?? 'running'];
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
