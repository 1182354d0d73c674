import type { CheckContext } from '../../../check-kit/check.ts';
import { once } from '../../../check-kit/once.ts';
import type { ControlledRun } from '../../../clients/control-client.ts';
import { ACCEPTED } from '../../../listener/delivery.ts';
import type { SenderDriver } from '../../../driver/sender-driver.ts';
import { Inconclusive, NoResponse, NotApplicable } from '../../../verdict/findings.ts';
import { about } from '../arrivals.ts';
import { endScene, openScene } from './scene.ts';
import type { OpenScene, Scene } from './scene.ts';

/** Two endpoints of one tenant, each with a secret of its own, and the runs whose events both should receive. */
export interface Pair {
  readonly scenes: readonly Scene[];
  readonly runs: readonly ControlledRun[];
}

/** One alone could be the first of a tenant, or the last. */
const RUNS = 2;

/** Shared by the checks of every delivery and of the endpoints. */
export const pairOf: (context: CheckContext) => Promise<Pair> = once(observePair);

async function observePair(context: CheckContext): Promise<Pair> {
  const { sender } = context;
  const opened: OpenScene[] = [];
  try {
    const first = await openScene(sender, () => ACCEPTED);
    opened.push(first);
    opened.push(await openSecond(sender, first));
    const runs: ControlledRun[] = [];
    for (let made = 0; made < RUNS; made += 1) runs.push(await first.driven.createRun());
    const waited = await first.driven.wait(() =>
      opened.every(({ driven }) =>
        runs.every((run) => about(driven.listener.deliveries, run).length > 0),
      ),
    );
    return { scenes: await Promise.all(opened.map((one) => endScene(context, one, waited))), runs };
  } finally {
    await Promise.all(opened.map(({ driven }) => driven.close()));
  }
}

/** How many endpoints a tenant can have is left open. */
async function openSecond(sender: SenderDriver, { driven }: OpenScene): Promise<OpenScene> {
  try {
    return await openScene(sender, () => ACCEPTED, driven);
  } catch (error) {
    if (!(error instanceof Inconclusive) || error instanceof NoResponse) throw error;
    throw new NotApplicable(`the tenant can have one endpoint: ${error.message}`);
  }
}
