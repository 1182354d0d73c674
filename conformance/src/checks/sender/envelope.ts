import { API_VERSION, EVENT_ID_PREFIX } from '@hookproof/spec';

import type { Check } from '../../check-kit/check.ts';
import { partSchema } from '../../check-kit/schema.ts';
import { runOf } from '../../listener/delivery.ts';
import { byEvent, reportSame } from './arrivals.ts';
import { isIso8601 } from './iso-8601.ts';
import { deliveryCheck, runsCheck, sceneCheck } from './sender-check.ts';

const envelopeFaults = partSchema({
  type: 'object',
  required: ['id', 'type', 'apiVersion', 'createdAt', 'test', 'data'],
  properties: {
    id: { type: 'string' },
    type: { enum: ['run.created', 'run.status_changed'] },
    apiVersion: { type: 'string' },
    createdAt: { type: 'string' },
    test: { type: 'boolean' },
    data: { type: 'object', required: ['run'], properties: { run: { type: 'object' } } },
  },
});

/** The envelope of every event. */
export const senderEnvelopeChecks: readonly Check[] = [
  deliveryCheck({
    name: 'envelope.schema',
    requirements: ['webhook-envelope.fields'],
    title: 'an event has the documented members and types',
    judge(delivery, _scene, expect) {
      const found = envelopeFaults(delivery.event);
      expect(delivery, found === null, 'the documented members of an event', found);
    },
  }),
  deliveryCheck({
    name: 'envelope.id-prefix',
    requirements: ['webhook-envelope.id.prefix'],
    title: 'the id of an event starts with whev_',
    judge(delivery, _scene, expect) {
      const id = String(delivery.event['id']);
      expect(delivery, id.startsWith(EVENT_ID_PREFIX), 'an id that starts with whev_', id);
    },
  }),
  deliveryCheck({
    name: 'envelope.created-at',
    requirements: ['webhook-envelope.created-at'],
    title: 'createdAt of an event is an ISO 8601 time',
    judge(delivery, _scene, expect) {
      const { createdAt } = delivery.event;
      expect(delivery, isIso8601(createdAt), 'an ISO 8601 time', createdAt);
    },
  }),
  deliveryCheck({
    name: 'envelope.api-version',
    requirements: ['versioning.webhook.api-version'],
    title: `apiVersion of an event is ${API_VERSION}`,
    judge(delivery, _scene, expect) {
      const version = delivery.event['apiVersion'];
      expect(delivery, version === API_VERSION, API_VERSION, version);
    },
  }),
  runsCheck({
    name: 'envelope.test-false',
    requirements: ['webhook-envelope.test.false-for-real-runs'],
    title: 'test is false in the events of a real run',
    judge({ deliveries, runs }, expect) {
      const ids = new Set(runs.map(({ run }) => run.id));
      for (const delivery of deliveries.filter((one) => ids.has(String(runOf(one.event)['id'])))) {
        const { test } = delivery.event;
        expect(delivery, test === false, 'test false', test);
      }
    },
  }),
  sceneCheck({
    name: 'envelope.id-unique',
    requirements: ['webhook-envelope.id.idempotency-key'],
    title: 'no two events share an id',
    judge({ deliveries }, expect) {
      for (const [id, [first, ...others]] of byEvent(deliveries)) {
        for (const other of others) {
          const isSame = first === undefined || reportSame(first, other);
          expect(other, isSame, 'a unique id', id);
        }
      }
    },
  }),
];
