import { strict as assert } from 'node:assert';

import type { Delivery } from '@hookproof/spec/control';

import type { Rule } from './rule.ts';
import { only } from './server-client.ts';
import type { Receiver } from './server-client.ts';

const DAY = 86_400_000;

/** Endpoints that are disabled or deleted: what has not left never leaves. */
export const silenceRules: readonly Rule[] = [
  {
    id: 'silence.waiting',
    rule: 'A delivery that waits for its retry ends when its endpoint is disabled, and enabling brings it not back.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 503 });
      await receiver.tryOnce();
      await receiver.change({ enabled: false });
      ended(await receiver.delivery(), 'endpoint_disabled');
      await receiver.change({ enabled: true });
      await lab.advance(DAY);
      ended(await receiver.delivery(), 'endpoint_disabled');
      assert.equal((await receiver.arrivals()).length, 1);
    },
  },
  {
    id: 'silence.deleted',
    rule: 'Pending deliveries end when their endpoint is deleted, and stay readable.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 503 });
      await receiver.tryOnce();
      await receiver.remove();
      await lab.advance(DAY);
      ended(await receiver.delivery(), 'endpoint_deleted');
      assert.equal((await receiver.arrivals()).length, 1);
    },
  },
  {
    id: 'silence.due',
    rule: 'Deliveries that are due and wait for room end as well.',
    async holds(lab) {
      const receiver = await lab.receiver({ hang: true });
      await receiver.sendTest(20);
      await lab.settle();
      await receiver.change({ enabled: false });
      await lab.advance(DAY);
      assert.equal((await receiver.arrivals()).length, 16);
      for (const delivery of await receiver.deliveries()) ended(delivery, 'endpoint_disabled');
    },
  },
  {
    id: 'silence.manual',
    rule: 'A redelivery that waits for the end of an attempt is not made.',
    async holds(lab) {
      const receiver = await lab.receiver({ hang: true }, { status: 200 });
      await receiver.sendTest();
      await lab.settle();
      await lab.redeliver(await receiver.delivery());
      await receiver.change({ enabled: false });
      await lab.advance(DAY);
      ended(await receiver.delivery(), 'endpoint_disabled');
      assert.equal((await receiver.arrivals()).length, 1);
    },
  },
  {
    id: 'silence.held',
    rule: 'A delivery that a pathology holds back ends as well.',
    async holds(lab) {
      const receivers: Receiver[] = [];
      for (const name of ['delay', 'reorder']) {
        const receiver = await lab.receiver();
        await lab.plant({ name, endpointId: receiver.endpoint.id });
        await receiver.tryOnce();
        await receiver.change({ enabled: false });
        receivers.push(receiver);
      }
      await lab.advance(DAY);
      for (const receiver of receivers) {
        ended(await receiver.delivery(), 'endpoint_disabled');
        assert.equal((await receiver.arrivals()).length, 0);
      }
    },
  },
  {
    id: 'silence.copies',
    rule: 'Copies that have not left are not made, also when the endpoint is enabled again.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id: endpointId } = receiver.endpoint;
      await lab.plant({ name: 'duplicate', copies: 2, apartMilliseconds: 1_000, endpointId });
      await receiver.tryOnce();
      await receiver.change({ enabled: false });
      await receiver.change({ enabled: true });
      await lab.advance(DAY);
      assert.equal((await receiver.arrivals()).length, 1);
    },
  },
  {
    id: 'silence.under-way',
    rule: 'An attempt under way is not recalled: its success counts, its failure is followed by nothing.',
    async holds(lab) {
      for (const [status, outcome] of [
        [200, 'delivered'],
        [503, 'ended'],
      ] as const) {
        const receiver = await lab.receiver({ status, afterMilliseconds: 1_000 });
        await receiver.sendTest();
        await lab.settle();
        await receiver.change({ enabled: false });
        await lab.advance(DAY);
        const delivery = await receiver.delivery();
        assert.deepEqual([delivery.status, only(delivery.attempts).status], [outcome, status]);
      }
    },
  },
  {
    id: 'silence.no-new',
    rule: 'An event that happens while an endpoint is disabled is not for it, also once it is enabled.',
    async holds(lab) {
      const receiver = await lab.receiver();
      await receiver.change({ enabled: false });
      await lab.run();
      await receiver.change({ enabled: true });
      await lab.advance(DAY);
      assert.deepEqual(await receiver.deliveries(), []);
    },
  },
  {
    id: 'silence.enabled-again',
    rule: 'Once it is enabled again, an endpoint gets the events that happen from then on.',
    async holds(lab) {
      const receiver = await lab.receiver();
      await receiver.change({ enabled: false });
      await receiver.change({ enabled: true });
      await lab.run();
      await lab.settle();
      assert.equal((await receiver.delivery()).status, 'delivered');
    },
  },
  {
    id: 'silence.refused',
    rule: 'To an endpoint that is disabled or deleted nobody can send a test or redeliver.',
    async holds(lab) {
      const receiver = await lab.receiver();
      const { id } = await receiver.tryOnce();
      const codes: (string | undefined)[] = [];
      const redeliver = async (): Promise<void> => {
        const { issues } = await lab.refusal('POST', `/deliveries/${id}/redeliver`, {});
        codes.push(issues[0]?.code);
      };
      await receiver.change({ enabled: false });
      await redeliver();
      const path = `/webhook-endpoints/${receiver.endpoint.id}/test`;
      codes.push((await lab.refusal('POST', path, {})).issues[0]?.code);
      await receiver.remove();
      await redeliver();
      assert.deepEqual(
        codes,
        Array.from({ length: 3 }, () => 'endpoint_not_active'),
      );
    },
  },
];

function ended({ status, endReason, nextAttemptAt }: Delivery, reason: string): void {
  assert.deepEqual([status, endReason, nextAttemptAt], ['ended', reason, null]);
}
