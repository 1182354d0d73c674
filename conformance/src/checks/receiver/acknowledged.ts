import type { Check, Requirements } from '../../check-kit/check.ts';
import { assumeSuccess, expectSuccess } from '../../check-kit/expect.ts';
import { deliver, testEvent } from './deliver.ts';

/** Deliveries that are right and not new, or of a test. */
export const receiverDeliveryChecks: readonly Check[] = [
  {
    ...base('duplicate.acknowledged', 'receiver.duplicate.acknowledged'),
    title: 'a delivery that comes again is answered with a 2xx',
    async run(context) {
      const event = testEvent(context, 'duplicate');
      assumeSuccess(await deliver(context, event));
      expectSuccess(await deliver(context, event));
      expectSuccess(await deliver(context, event, 1));
    },
  },
  {
    ...base('duplicate.at-the-same-moment', 'receiver.duplicate.acknowledged'),
    title: 'a delivery that comes twice at the same moment is answered with a 2xx both times',
    async run(context) {
      const event = testEvent(context, 'twice');
      const responses = await Promise.all([deliver(context, event), deliver(context, event)]);
      for (const response of responses) expectSuccess(response);
    },
  },
  {
    ...base('test-event.acknowledged', 'receiver.test-event.acknowledged'),
    title: 'a test event of either type is answered with a 2xx',
    async run(context) {
      for (const type of ['run.created', 'run.status_changed'] as const) {
        expectSuccess(await deliver(context, testEvent(context, `test-${type}`, type)));
      }
    },
  },
];

function base(name: string, ...requirements: Requirements): Omit<Check, 'title' | 'run'> {
  return {
    id: `receiver.${name}`,
    requirements,
    side: 'receiver',
    access: 'read',
    needs: ['receiver'],
  };
}
