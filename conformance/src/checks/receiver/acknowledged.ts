import { area } from '../../check-kit/area.ts';
import type { Check } from '../../check-kit/check.ts';
import { signDelivery } from '../../signing/delivery.ts';
import { runEvent } from '../../signing/run-event.ts';
import {
  assumeAccepted,
  eventNow,
  expectAccepted,
  expectAcceptedAtOnce,
  isAccepted,
  notAccepted,
  receiverSeconds,
  responseTo,
  signed,
  uniqueName,
} from './deliver.ts';

const receiver = area('receiver', { access: 'read', needs: ['receiver'] });

/** Valid deliveries that are repeated, test events, or come after others. */
export const receiverDeliveryChecks: readonly Check[] = [
  receiver.check({
    name: 'duplicate.acknowledged',
    requirements: ['receiver.duplicate.acknowledged'],
    title: 'acknowledges a repeated delivery with a 2xx',
    async run(context) {
      const event = eventNow(context, 'duplicate');
      await assumeAccepted(context, event);
      await expectAccepted(context, signed(context, event), 'the same delivery');
      await expectAccepted(context, signed(context, event, 1), 'the event with a new timestamp');
    },
  }),
  receiver.check({
    name: 'duplicate.at-the-same-moment',
    requirements: ['receiver.duplicate.acknowledged'],
    title: 'acknowledges two simultaneous deliveries of one event with a 2xx',
    async run(context) {
      const event = eventNow(context, 'twice');
      await expectAcceptedAtOnce(context, signed(context, event), 2, 'one of two deliveries');
    },
  }),
  receiver.check({
    name: 'test-event.acknowledged',
    requirements: ['receiver.test-event.acknowledged'],
    title: 'acknowledges a test event of either type with a 2xx',
    async run(context) {
      const at = context.now();
      const created = eventNow(context, 'testcreated');
      const changed = runEvent({
        name: uniqueName(context, 'testchanged'),
        test: true,
        previousStatus: 'pending',
        status: 'running',
        at,
        startedAt: at,
      });
      await expectAccepted(context, signed(context, created), 'a test of run.created');
      await expectAccepted(context, signed(context, changed), 'a test of run.status_changed');
    },
  }),
  receiver.check({
    name: 'custom-headers',
    requirements: ['receiver.custom-headers'],
    title: 'accepts a delivery with custom headers',
    async run(context) {
      const event = eventNow(context, 'custom');
      await expectAccepted(
        context,
        () => {
          const delivery = signDelivery(event, context.receiver, receiverSeconds(context));
          return {
            ...delivery,
            headers: [['x-environment', 'staging'], ...delivery.headers, ['x-team', 'a, b']],
          };
        },
        'a delivery with custom headers',
      );
    },
  }),
  receiver.check({
    name: 'after-unknown-event',
    requirements: ['receiver.valid.acknowledged'],
    title: 'accepts a valid delivery after events that it does not know',
    async run(context) {
      await assumeAccepted(context, eventNow(context, 'beforeunknown'));
      const unknown = [{ type: 'run.archived' }, { apiVersion: '2099-01-01' }, { data: null }];
      for (const [index, event] of unknown.entries()) {
        const name = uniqueName(context, `unknown${index}`);
        const facts = { name, test: true, status: 'pending', at: context.now(), event } as const;
        // receiver.unknown-event and receiver.invalid-event: any response will do.
        await responseTo(context, signed(context, runEvent(facts)), 'invalid');
      }
      const after = await responseTo(context, signed(context, eventNow(context, 'after')), 'valid');
      if (after === null) await assumeAccepted(context, eventNow(context, 'muchlater'));
      else if (!isAccepted(after)) throw notAccepted('the next valid delivery', after);
    },
  }),
];
