import type { CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import { once } from '../../../check-kit/once.ts';
import type { ControlledRun } from '../../../clients/control-client.ts';
import { isRetried, PlannedResponses } from '../../../driver/responses.ts';
import type { DrivenEndpoint } from '../../../driver/sender-driver.ts';
import { ACCEPTED } from '../../../listener/delivery.ts';
import type { Arrivals } from '../arrivals.ts';
import { about, byEvent, isCreated } from '../arrivals.ts';
import { AttemptCounts, isOldEnough } from '../attempts.ts';
import { observePlanned } from './observed-run.ts';
import type { ObservedRun } from './observed-run.ts';
import { RUNS_OF_RESPONSES } from './plans.ts';
import { endScene, openScene, settle } from './scene.ts';
import type { TenantScene } from './scene.ts';

/** Enough for the sender's schedule to show itself, and more than duplicates of one attempt. */
const REFUSALS = { ofKind: 2, creation: 4, change: 2 };
/** The attempts after which the schedule has shown itself. */
const MANY_ATTEMPTS = 4;
/** The real time that the deliveries of a step of a virtual clock have to arrive. */
const LAST_STEP_MILLISECONDS = 10_000;

/** Shared by the checks of responses. */
export const responsesOf: (context: CheckContext) => Promise<ResponseScene> =
  once(observeResponses);

/** A scene of many runs whose events get every response. */
interface ResponseScene extends TenantScene {
  /** An endpoint of another tenant with one run, while all this happens; null without another tenant. */
  readonly otherTenant: TenantScene | null;
  /** The runs with the statuses that they had. */
  readonly observed: readonly ObservedRun[];
}

async function observeResponses(context: CheckContext): Promise<ResponseScene> {
  const { script } = new PlannedResponses(REFUSALS, false);
  const opened = await openScene(context.sender, script);
  const { driven } = opened;
  const secondTenant =
    driven.tenantId === null ? null : await openScene(context.sender, () => ACCEPTED);
  try {
    const [observed, [failed]] = await observePlanned(driven, RUNS_OF_RESPONSES);
    const runs = observed.map(({ run }) => run);
    const others = secondTenant === null ? [] : [await changedRun(secondTenant.driven)];
    const control = controlOrNull(context);
    const isVirtual = (await control?.getClock())?.mode === 'virtual';
    const attempts = isVirtual ? MANY_ATTEMPTS : MANY_ATTEMPTS - 1;
    const waited = await driven.wait(
      () =>
        isComplete(driven, runs, attempts) &&
        // On a virtual clock, each step lets every retry that is due happen.
        (isVirtual || isOldEnough(driven.listener.deliveries, attempts, context.now())),
    );
    // Deliveries of the last step may be on their way, or not recorded yet.
    if (isVirtual) await control?.waitForIdle(LAST_STEP_MILLISECONDS);
    const scene = await endScene(context, opened, waited);
    if (scene.deliveries.length === 0 && failed !== undefined) throw failed;
    const otherTenant =
      secondTenant === null
        ? null
        : {
            ...(await endScene(context, secondTenant, waited)),
            tenantId: secondTenant.driven.tenantId,
            runs: others,
          };
    return { ...scene, tenantId: driven.tenantId, runs, otherTenant, observed };
  } finally {
    await Promise.all([driven.close(), secondTenant?.driven.close()]);
  }
}

async function changedRun(driven: DrivenEndpoint): Promise<ControlledRun> {
  const run = await driven.createRun();
  await settle(driven.move(run, 'running', 'cancelled'));
  return run;
}

/** Whether every response was given, and every event that shall come again has done so. */
function isComplete(
  { listener }: DrivenEndpoint,
  runs: readonly ControlledRun[],
  attempts: number,
): boolean {
  const { deliveries } = listener;
  const events = byEvent(deliveries);
  if (!runs.every((run) => about(deliveries, run).some(isCreated))) return false;
  const counts = new AttemptCounts(deliveries);
  return (
    counts.most >= attempts &&
    [...events.values()].every((each) => !isRefused(each) || counts.isAgain(each))
  );
}

function isRefused([first]: Arrivals): boolean {
  return first !== undefined && isRetried(first.response);
}
