import type { CheckContext } from '../../../check-kit/check.ts';
import { once } from '../../../check-kit/once.ts';
import type { ControlledRun } from '../../../clients/control-client.ts';
import { ACCEPTED } from '../../../listener/delivery.ts';
import type { ResponseScript } from '../../../listener/delivery.ts';
import type { SenderDriver } from '../../../driver/sender-driver.ts';
import { Inconclusive, NoResponse, NotApplicable } from '../../../verdict/findings.ts';
import { about } from '../arrivals.ts';
import { endScene, openScene } from './scene.ts';
import type { OpenScene, Scene } from './scene.ts';

/**
 * Two endpoints of one tenant, each with a secret of its own, and the runs whose events both should receive. The first one
 * refuses every event for good, the second one the first attempt of each.
 */
export interface Pair {
  readonly refusing: Scene;
  readonly busy: Scene;
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
    const waited = await second.driven.wait(() =>
      runs.every(
        (run) =>
          about(first.driven.listener.deliveries, run).length > 0 &&
          about(second.driven.listener.deliveries, run).length > 1,
      ),
    );
    return {
      refusing: await endScene(context, first, waited),
      busy: await endScene(context, second, waited),
      runs,
    };
  } finally {
    await Promise.all(opened.map(({ driven }) => driven.close()));
  }
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
