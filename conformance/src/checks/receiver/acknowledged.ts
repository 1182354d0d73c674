import { area } from '../../check-kit/area.ts';
import type { Check } from '../../check-kit/check.ts';
import { assumeSuccess, expectSuccess } from '../../check-kit/expect.ts';
import { deliver, testEvent } from './deliver.ts';

const receiver = area('receiver', { access: 'read', needs: ['receiver'] });

/** Valid deliveries that are repeated or test events. */
export const receiverDeliveryChecks: readonly Check[] = [
  receiver.check({
    name: 'duplicate.acknowledged',
    requirements: ['receiver.duplicate.acknowledged'],
    title: 'acknowledges a repeated delivery with a 2xx',
    async run(context) {
      const event = testEvent(context, 'duplicate');
      assumeSuccess(await deliver(context, event));
      expectSuccess(await deliver(context, event));
      expectSuccess(await deliver(context, event, 1));
    },
  }),
  receiver.check({
    name: 'duplicate.at-the-same-moment',
    requirements: ['receiver.duplicate.acknowledged'],
    title: 'acknowledges two simultaneous deliveries of one event with a 2xx',
    async run(context) {
      const event = testEvent(context, 'twice');
      const responses = await Promise.all([deliver(context, event), deliver(context, event)]);
      for (const response of responses) expectSuccess(response);
    },
  }),
  receiver.check({
    name: 'test-event.acknowledged',
    requirements: ['receiver.test-event.acknowledged'],
    title: 'acknowledges a test event of either type with a 2xx',
    async run(context) {
      for (const type of ['run.created', 'run.status_changed'] as const) {
        expectSuccess(await deliver(context, testEvent(context, `test-${type}`, type)));
      }
    },
  }),
];
