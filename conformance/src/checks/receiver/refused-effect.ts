import type { Check, CheckContext } from '../../check-kit/check.ts';
import type { SuiteEvent } from '../../signing/run-event.ts';
import { assumeAccepted, expectAccepted, expectRefused, signed } from './deliver.ts';
import { expectEffect } from './effects.ts';
import { refuseForgeries, refuseOtherSecret } from './forged.ts';
import { afterLater, handledRun, receiverEffect } from './observed.ts';
import { nameOf, PATHS, runOf } from './real-run.ts';
import type { RealEvent } from './real-run.ts';

const A_DAY_AGO = -86_400;

/** Deliveries that a receiver refuses, and their events. */
export const receiverRefusedEffectChecks: readonly Check[] = [
  receiverEffect.check({
    name: 'refused.no-effect',
    requirements: ['receiver.refused.no-effect'],
    title: 'a delivery with a wrong signature or an old timestamp takes no effect',
    async run(context) {
      const all = (label: string): readonly RealEvent[] =>
        (['workflow', 'agent'] as const).flatMap((runType) =>
          PATHS.flatMap((path, to) => runOf(context, `${label}${runType}${to}`, path, { runType })),
        );
      const [forged, stale] = [all('forged'), all('stale')];
      for (const event of forged) {
        await refuseOtherSecret(context, event, nameOf(event.kind));
      }
      for (const event of stale) await refuseStale(context, event);
      const observed = await afterLater(context, 'refused', []);
      for (const event of [...forged, ...stale]) {
        expectEffect(observed, event, 'a refused delivery', 0);
      }
    },
  }),
  receiverEffect.check({
    name: 'refused.known-id',
    requirements: ['receiver.refused.no-effect', 'signature.message.other-secret'],
    title: 'a forged delivery with the id of a handled event is refused and takes no effect',
    async run(context) {
      const { before: earlier, event } = await handledRun(context, 'handled');
      for (const one of earlier) await assumeAccepted(context, one);
      await expectAccepted(context, signed(context, event));
      const before = await afterLater(context, 'handled', [event]);
      expectEffect(before, event, 'delivered once');
      await refuseForgeries(context, event);
      expectEffect(await afterLater(context, 'forgedagain', [event]), event, 'then forged');
    },
  }),
  receiverEffect.check({
    name: 'refused.not-remembered',
    requirements: ['receiver.refused.no-effect'],
    title: 'an event takes effect whose first delivery had a wrong signature or an old timestamp',
    async run(context) {
      const [{ before: one, event: forged }, { before: other, event: stale }] = await Promise.all([
        handledRun(context, 'forgedfirst'),
        handledRun(context, 'stalefirst'),
      ]);
      for (const earlier of [...one, ...other]) await assumeAccepted(context, earlier);
      await refuseOtherSecret(context, forged, 'a delivery');
      await refuseStale(context, stale);
      for (const event of [forged, stale]) await expectAccepted(context, signed(context, event));
      const observed = await afterLater(context, 'accepted', [forged, stale]);
      for (const event of [forged, stale]) expectEffect(observed, event, 'refused, then valid');
    },
  }),
];

async function refuseStale(context: CheckContext, stale: SuiteEvent): Promise<void> {
  await expectRefused(context, signed(context, stale, A_DAY_AGO), {
    what: 'a timestamp of a day ago',
    comment: 'Whoever has recorded a delivery can send it again.',
  });
}
