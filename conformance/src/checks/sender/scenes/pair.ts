import type { CheckContext } from '../../../check-kit/check.ts';
import { once } from '../../../check-kit/once.ts';
import type { ControlledRun } from '../../../clients/control-client.ts';
import { ACCEPTED } from '../../../listener/delivery.ts';
import type { ResponseScript } from '../../../listener/delivery.ts';
import type { SenderDriver } from '../../../driver/sender-driver.ts';
import { Inconclusive, NoResponse, NotApplicable } from '../../../verdict/findings.ts';
import { about, byEvent, isCreated } from '../arrivals.ts';
import type { Arrivals } from '../arrivals.ts';
import { AttemptCounts } from '../attempts.ts';
import { endScene, openScene } from './scene.ts';
import type { OpenScene, Scene } from './scene.ts';

/**
 * Two endpoints of one tenant, each with a secret of its own, and the runs whose events both should receive. The first one
 * refuses every event for good, the second one the first attempt of each.
 */
export interface Pair {
  readonly refusing: Scene;
  readonly busy: Scene;
  /** The events that the second one had not got again when the scene was over. */
  readonly notRetried: readonly Arrivals[];
  readonly runs: readonly ControlledRun[];
}

/** One alone could be the first of a tenant, or the last. */
const RUNS = 2;

const REFUSING: ResponseScript = () => ({ status: 400 });
const BUSY: ResponseScript = (_delivery, attempt) => (attempt === 1 ? { status: 503 } : ACCEPTED);

/** Shared by the checks of every delivery and of the endpoints. */
export const pairOf: (context: CheckContext) => Promise<Pair> = once(observePair);

async function observePair(context: CheckContext): Promise<Pair> {
  const { sender } = context;
  const opened: OpenScene[] = [];
  try {
    const first = await openScene(sender, REFUSING);
    opened.push(first);
    const second = await openSecond(sender, first);
    opened.push(second);
    const runs: ControlledRun[] = [];
    for (let made = 0; made < RUNS; made += 1) runs.push(await first.driven.createRun());
    const isComplete = (): boolean =>
      runs.every((run) =>
        opened.every(({ driven }) => about(driven.listener.deliveries, run).some(isCreated)),
      ) && notRetriedIn(second.driven.listener.deliveries).length === 0;
    const waited = await second.driven.wait(isComplete);
    // What arrives from now on is not awaited.
    const notRetried = notRetriedIn(second.driven.listener.deliveries);
    return {
      refusing: await endScene(context, first, waited),
      busy: await endScene(context, second, waited),
      notRetried,
      runs,
    };
  } finally {
    await Promise.all(opened.map(({ driven }) => driven.close()));
  }
}

/** A run may have several events: one that becomes pending by itself has two at once. */
function notRetriedIn(arrivals: Arrivals): readonly Arrivals[] {
  const counts = new AttemptCounts(arrivals);
  return [...byEvent(arrivals).values()].filter((event) => !counts.isAgain(event));
}

/** How many endpoints a tenant can have is left open. */
async function openSecond(sender: SenderDriver, { driven }: OpenScene): Promise<OpenScene> {
  try {
    return await openScene(sender, BUSY, { sameTenant: driven });
  } catch (error) {
    if (!(error instanceof Inconclusive) || error instanceof NoResponse) throw error;
    throw new NotApplicable(`the tenant can have one endpoint: ${error.message}`);
  }
}
