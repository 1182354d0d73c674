import type { CheckContext } from '../../../check-kit/check.ts';
import { once } from '../../../check-kit/once.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { DrivenEndpoint } from '../../../driver/sender-driver.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { about, byEvent, isCreated, missingMoves } from '../arrivals.ts';
import type { Arrivals } from '../arrivals.ts';
import { isRetried } from '../attempts.ts';
import { readRuns, redeliver, tryToLeave } from './afterwards.ts';
import type { MadeRedelivery } from './afterwards.ts';
import { beginRun, liveOn } from './lived-run.ts';
import type { BegunRun, LivedRun } from './lived-run.ts';
import { LARGE_RUN, PLANNED_RUNS, SILENT_RUNS } from './plans.ts';
import type { PlannedRun } from './plans.ts';
import { RetryScript } from './script.ts';
import { controlOf, endScene, mapAtOnce, openScene, settle } from './scene.ts';
import type { Scene, Settled } from './scene.ts';

/** On a real clock the suite waits this long. On a virtual clock, a minute is within any limit of a sender. */
const RETRY_AFTER_SECONDS = { real: 3, virtual: 60 };
/** Duplicates and a retry at once take some of them, before the sender has heard of the `Retry-After` twice. */
const REFUSALS_OF_CHANGE = { real: 3, virtual: 6 };

/** The lives of some runs, a test event and a redelivery, as one endpoint saw them. */
export interface Life extends Scene {
  readonly runs: readonly LivedRun[];
  /** Why runs could not be created. */
  readonly refusals: readonly Error[];
  /** A run whose output is larger than an event can be expected to be. */
  readonly large: Settled<LivedRun>;
  readonly invoked: readonly Settled<LivedRun>[];
  readonly evaluation: readonly Settled<LivedRun>[];
  /** The id of the test event. */
  readonly testId: Settled<string>;
  /** The responses to requests for a run that exists and for that of the test event: the world ends with the scene. */
  readonly reads: Settled<readonly [existing: ApiResponse, test: ApiResponse]>;
  readonly redelivery: Settled<MadeRedelivery>;
  /** The id of the event that was refused with a `Retry-After` of this many seconds. */
  readonly delayed: { readonly eventId: unknown; readonly seconds: number };
}

/** Shared by all checks that judge what runs cause. */
export const lifeOf: (context: CheckContext) => Promise<Life> = once(observeLife);

async function observeLife(context: CheckContext): Promise<Life> {
  const { sender } = context;
  const mode = await clockMode(context);
  const seconds = RETRY_AFTER_SECONDS[mode];
  const script = new RetryScript(seconds, REFUSALS_OF_CHANGE[mode]);
  const opened = await openScene(sender, script.script);
  const { driven } = opened;
  try {
    const one = (plan: PlannedRun): Promise<Settled<LivedRun>> => settle(liveOne(driven, plan));
    const [[runs, refusals], silent, testId] = await Promise.all([
      liveAll(driven),
      mapAtOnce([...SILENT_RUNS.invoked, ...SILENT_RUNS.evaluation], one),
      settle(driven.sendTest()),
    ]);
    const large = await one(LARGE_RUN);
    const invoked = silent.slice(0, SILENT_RUNS.invoked.length);
    const evaluation = silent.slice(SILENT_RUNS.invoked.length);
    script.hasMoved = true;
    await tryToLeave(context, runs);
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
  return (await controlOf(context)?.clock())?.mode ?? 'real';
}

async function liveOne(driven: DrivenEndpoint, plan: PlannedRun): Promise<LivedRun> {
  return liveOn(driven, await beginRun(driven, plan));
}

/** All runs are created before the first one moves, so that no response to a delivery can depend on the order. */
async function liveAll(
  driven: DrivenEndpoint,
): Promise<readonly [runs: readonly LivedRun[], refusals: readonly Error[]]> {
  const planned = await mapAtOnce(PLANNED_RUNS, (plan) => settle(beginRun(driven, plan)));
  // A driver that has no run of a named trigger may have runs of others: triggers are not limited to those named.
  const isMissing = (index: number): boolean => planned[index]?.[1] instanceof CouldNotRun;
  const unnamed = PLANNED_RUNS.filter((_plan, index) => isMissing(index)).map(withoutTrigger);
  const others = await mapAtOnce(unnamed, (plan) => settle(beginRun(driven, plan)));
  const begun = [...planned, ...others];
  const runs = begun.flatMap(([run]): BegunRun[] => (run === undefined ? [] : [run]));
  const refusals = begun.flatMap(([, error]) => error ?? []);
  return [await mapAtOnce(runs, (run) => liveOn(driven, run)), refusals];
}

function withoutTrigger(plan: PlannedRun): PlannedRun {
  const { triggerType, ...wanted } = plan.wanted;
  return triggerType === undefined ? plan : { ...plan, wanted };
}

/** Whether everything has arrived that a right sender sends. */
function isComplete(
  { listener }: DrivenEndpoint,
  runs: readonly LivedRun[],
  [testId]: Settled<string>,
): boolean {
  const { deliveries } = listener;
  const events = byEvent(deliveries);
  return (
    runs.every(
      ({ run, moves }) =>
        about(deliveries, run).some(isCreated) && missingMoves(deliveries, run, moves).length === 0,
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
