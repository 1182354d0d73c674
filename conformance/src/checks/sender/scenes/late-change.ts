import type { CheckContext } from '../../../check-kit/check.ts';
import { once } from '../../../check-kit/once.ts';
import type { ControlledRun } from '../../../clients/control-client.ts';
import type { Waited } from '../../../driver/wait-strategy.ts';
import { ACCEPTED, dataOf } from '../../../listener/delivery.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { about, isChange } from '../arrivals.ts';
import type { Arrivals } from '../arrivals.ts';
import { withEndpoint } from '../with-endpoint.ts';

const TWO_HOURS = 2 * 3_600_000;

/** What was delivered of a run that changed two hours after its creation. */
interface LateChange {
  readonly run: ControlledRun;
  readonly deliveries: Arrivals;
  /** Those of the changes that were asked for: a run may have become pending before, by itself. */
  readonly changes: Arrivals;
  readonly waited: Waited;
}

/** Shared by the checks of it. On a clock that stands still, a creation and a change have one time. */
export const lateChangeOf: (context: CheckContext) => Promise<LateChange> = once(observe);

async function observe(context: CheckContext): Promise<LateChange> {
  let seen: LateChange | null = null;
  await withEndpoint(
    context,
    () => ACCEPTED,
    async (driven) => {
      const run = await driven.createRun();
      const own = (): Arrivals => about(driven.listener.deliveries, run);
      await driven.wait(() => own().length > 0);
      await context.control.advanceClock({ milliseconds: TWO_HOURS });
      const statuses = new Set<unknown>(await driven.move(run, 'running', 'cancelled'));
      const changes = (): Arrivals =>
        own().filter((one) => isChange(one) && statuses.has(dataOf(one.event)['currentStatus']));
      const waited = await driven.wait(() => changes().length > 0);
      seen = { run, deliveries: own(), changes: changes(), waited };
    },
  );
  if (seen === null) throw new Inconclusive('Cannot judge: nothing was observed.');
  return seen;
}
