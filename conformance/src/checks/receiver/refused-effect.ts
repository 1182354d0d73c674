import type { Check, CheckContext } from '../../check-kit/check.ts';
import type { ReceiverRequest } from '../../clients/receiver-client.ts';
import { signDelivery } from '../../signing/delivery.ts';
import type { SuiteEvent } from '../../signing/run-event.ts';
import { expectAccepted, expectRefused, receiverSeconds, signed } from './deliver.ts';
import { expectEffect } from './effects.ts';
import { afterLater, receiverEffect } from './observed.ts';
import { realEvent } from './real-run.ts';

const OTHER_SECRET = 'whsec_YW5vdGhlciBzZWNyZXQgb2YgdGhlIHN1aXRl';
const A_DAY_AGO = -86_400;

/** Deliveries that a receiver refuses, and their events. */
export const receiverRefusedEffectChecks: readonly Check[] = [
  receiverEffect.check({
    name: 'refused.no-effect',
    requirements: ['receiver.refused.no-effect'],
    title: 'a delivery with a wrong signature or an old timestamp takes no effect',
    async run(context) {
      const forged = realEvent(context, 'forged');
      const stale = realEvent(context, 'stale');
      await refuse(context, forged, stale);
      const observed = await afterLater(context, 'refused', []);
      for (const event of [forged, stale]) expectEffect(observed, event, 'a refused delivery', 0);
    },
  }),
  receiverEffect.check({
    name: 'refused.not-remembered',
    requirements: ['receiver.refused.no-effect'],
    title: 'an event takes effect whose first delivery had a wrong signature or an old timestamp',
    async run(context) {
      const forged = realEvent(context, 'forgedfirst');
      const stale = realEvent(context, 'stalefirst');
      await refuse(context, forged, stale);
      for (const event of [forged, stale]) await expectAccepted(context, signed(context, event));
      const observed = await afterLater(context, 'accepted', [forged, stale]);
      for (const event of [forged, stale]) expectEffect(observed, event, 'refused, then valid');
    },
  }),
];

async function refuse(context: CheckContext, forged: SuiteEvent, stale: SuiteEvent): Promise<void> {
  const { receiver } = context;
  const byAnother = (): ReceiverRequest =>
    signDelivery(forged, { ...receiver, secret: OTHER_SECRET }, receiverSeconds(context));
  await expectRefused(context, byAnother, {
    what: 'a delivery signed with another secret',
    comment: 'Its sender does not know the secret.',
  });
  await expectRefused(context, signed(context, stale, A_DAY_AGO), {
    what: 'a timestamp of a day ago',
    comment: 'Whoever has recorded a delivery can send it again.',
  });
}
