import type { CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import { once } from '../../../check-kit/once.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { DrivenEndpoint } from '../../../driver/sender-driver.ts';
import { about, byEvent, isCreated, missingStatuses } from '../arrivals.ts';
import type { Arrivals } from '../arrivals.ts';
import { isRetried } from '../../../driver/responses.ts';
import { readRuns, redeliver, tryAfterEnd } from './afterwards.ts';
import type { MadeRedelivery } from './afterwards.ts';
import { createPlanned, followPath, observePlanned } from './observed-run.ts';
import type { ObservedRun } from './observed-run.ts';
import { LARGE_RUN, PLANNED_RUNS, SILENT_RUNS } from './plans.ts';
import type { PlannedRun } from './plans.ts';
import { RetryScript } from './script.ts';
import { endScene, mapConcurrently, openScene, settle } from './scene.ts';
import type { Scene, Settled } from './scene.ts';

/** On a real clock the suite waits this long. On a virtual clock, a minute is within any limit of a sender. */
const RETRY_AFTER_SECONDS = { real: 3, virtual: 60 };

/** What happened to some runs, a test event and a redelivery, as one endpoint saw them. */
export interface ObservedRuns extends Scene {
  readonly runs: readonly ObservedRun[];
  /** Why runs could not be created. */
  readonly refusals: readonly Error[];
  /** A run whose output is larger than an event can be expected to be. */
  readonly large: Settled<ObservedRun>;
  readonly invoked: readonly Settled<ObservedRun>[];
  readonly evaluation: readonly Settled<ObservedRun>[];
  /** The id of the test event. */
  readonly testId: Settled<string>;
  /** The responses to requests for a run that exists and for that of the test event: the world ends with the scene. */
  readonly reads: Settled<readonly [existing: ApiResponse, test: ApiResponse]>;
  readonly redelivery: Settled<MadeRedelivery>;
  /** The id of the event that was refused with a `Retry-After` of this many seconds. */
  readonly delayed: { readonly eventId: unknown; readonly seconds: number };
}

/** Shared by all checks that judge what runs cause. */
export const observedRunsOf: (context: CheckContext) => Promise<ObservedRuns> = once(observeRuns);

async function observeRuns(context: CheckContext): Promise<ObservedRuns> {
  const { sender } = context;
  const seconds = RETRY_AFTER_SECONDS[await clockMode(context)];
  const script = new RetryScript(seconds);
  const opened = await openScene(sender, script.script);
  const { driven } = opened;
  try {
    const one = (plan: PlannedRun): Promise<Settled<ObservedRun>> =>
      settle(observeRun(driven, plan));
    const [[runs, refusals], silent, testId] = await Promise.all([
      observePlanned(driven, PLANNED_RUNS),
      mapConcurrently([...SILENT_RUNS.invoked, ...SILENT_RUNS.evaluation], one),
      settle(driven.sendTest()),
    ]);
    const large = await one(LARGE_RUN);
    const invoked = silent.slice(0, SILENT_RUNS.invoked.length);
    const evaluation = silent.slice(SILENT_RUNS.invoked.length);
    script.hasMoved = true;
    await tryAfterEnd(context, runs);
    const waited = await driven.wait(() => isComplete(driven, runs, testId));
    const redelivery = await redeliver(driven, runs, script);
    const reads = await settle(readRuns(context, driven, runs, testId));
    const scene = await endScene(context, opened, waited);
    const delayed = { eventId: script.changed, seconds };
    const seen = { runs, refusals, large, invoked, evaluation, testId, reads, redelivery, delayed };
    return { ...scene, ...seen };
  } finally {
    await driven.close();
  }
}

async function clockMode(context: CheckContext): Promise<'real' | 'virtual'> {
  return (await controlOrNull(context)?.getClock())?.mode ?? 'real';
}

async function observeRun(driven: DrivenEndpoint, plan: PlannedRun): Promise<ObservedRun> {
  return followPath(driven, await createPlanned(driven, plan));
}

/** Whether everything has arrived that a valid sender sends. */
function isComplete(
  { listener }: DrivenEndpoint,
  runs: readonly ObservedRun[],
  [testId]: Settled<string>,
): boolean {
  const { deliveries } = listener;
  const events = byEvent(deliveries);
  return (
    runs.every(
      ({ run, statuses }) =>
        about(deliveries, run).some(isCreated) &&
        missingStatuses(deliveries, run, statuses).length === 0,
    ) &&
    (testId === undefined || events.has(testId)) &&
    ![...events.values()].some(isLastRefused)
  );
}

/** Whether the latest delivery of an event was refused: then another one must follow. */
function isLastRefused(attempts: Arrivals): boolean {
  const last = attempts.at(-1);
  return last !== undefined && isRetried(last.response);
}
