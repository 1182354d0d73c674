import type { Check } from '../../check-kit/check.ts';
import { Inconclusive, NotApplicable } from '../../verdict/findings.ts';
import { absence } from './absence.ts';
import { byEvent } from './arrivals.ts';
import { withEndpoint } from './with-endpoint.ts';
import { sender } from './sender-check.ts';

const ARRIVAL_MILLISECONDS = 1_000;

/** An endpoint that accepts a delivery and sends no response. */
export const senderTimeoutChecks: readonly Check[] = [
  sender.check({
    name: 'retry.on-timeout',
    requirements: ['delivery.retry.timeout'],
    needs: ['driver', 'control'],
    title: 'retries a delivery that times out',
    async run(context) {
      if ((await context.control.getClock()).mode === 'real') {
        throw new NotApplicable(
          'the contract states no delivery timeout: judged only on a virtual clock',
        );
      }
      await withEndpoint(
        context,
        () => 'hold',
        async (driven) => {
          const { listener } = driven;
          const most = (): number =>
            Math.max(0, ...[...byEvent(listener.deliveries).values()].map(({ length }) => length));
          const run = await driven.createRun();
          if (most() === 0) await listener.arrival(ARRIVAL_MILLISECONDS);
          await driven.wait(() => most() > 0);
          // Duplicates may arrive before the first timeout.
          const usual = most();
          if (usual === 0) throw new Inconclusive(`Cannot judge: no event of ${run.id} arrived.`);
          const waited = await driven.wait(() => most() > usual);
          if (most() > usual) return;
          throw absence(
            { deliveries: listener.deliveries, waited },
            `a further attempt for the event of ${run.id}, which got no response`,
          );
        },
      );
    },
  }),
];
