import { strict as assert } from 'node:assert';
import { createHmac } from 'node:crypto';

import type { DeliveryAttempt, Exchange } from '@hookproof/spec/control';

import type { Lab } from './lab.ts';
import type { Rule } from './rule.ts';
import { only } from './server-client.ts';
import type { Receiver } from './server-client.ts';

/** What the sender tries again, but not soon. */
const BUSY = { status: 503, headers: { 'Retry-After': '60' } };

/** What an endpoint sees of each pathology, and what the sender makes of it. */
export const pathologyRules: readonly Rule[] = [
  {
    id: 'pathology.duplicate',
    rule: 'duplicate: the POST comes once more for each copy, with the same id and bytes, each a row of its own.',
    async holds(lab) {
      const { receiver } = await struck(lab, { name: 'duplicate', copies: 2 });
      const arrivals = await receiver.arrivals();
      assert.equal(arrivals.length, 3);
      assert.equal(new Set(arrivals.map(({ body }) => body)).size, 1);
      const { status, attempts } = await receiver.delivery();
      assert.equal(status, 'delivered');
      assert.deepEqual(
        attempts.map(({ trigger }) => trigger),
        ['automatic', 'copy', 'copy'],
      );
      assert.equal(new Set(attempts.map(({ startedAt }) => startedAt)).size, 1);
    },
  },
  {
    id: 'pathology.duplicate-apart',
    rule: 'duplicate: copies come so far apart as was ordered.',
    async holds(lab) {
      const order = { name: 'duplicate', copies: 2, apartMilliseconds: 3_000 };
      const { receiver, startedAt } = await struck(lab, order);
      await lab.advance(60_000);
      const times = (await receiver.arrivals()).map(({ at }) => Date.parse(at) - startedAt);
      assert.deepEqual(times, [0, 3_000, 6_000]);
    },
  },
  {
    id: 'pathology.copy-counts',
    rule: 'duplicate: a copy that is taken delivers the event; no retry follows.',
    async holds(lab) {
      const order = { name: 'duplicate', apartMilliseconds: 100 };
      const { receiver } = await struck(lab, order, BUSY, { status: 200 });
      await lab.advance(60_000);
      assert.equal((await receiver.delivery()).status, 'delivered');
      assert.equal((await receiver.arrivals()).length, 2);
    },
  },
  {
    id: 'pathology.copy-refused',
    rule: 'duplicate: a copy that is refused changes nothing, whatever the answer.',
    async holds(lab) {
      for (const [first, copy, status] of [
        [200, 500, 'delivered'],
        [503, 400, 'pending'],
      ] as const) {
        const order = { name: 'duplicate', apartMilliseconds: 100 };
        const { receiver } = await struck(lab, order, { ...BUSY, status: first }, { status: copy });
        await lab.advance(150);
        const delivery = await receiver.delivery();
        assert.deepEqual([delivery.status, delivery.attempts.length], [status, 2]);
      }
    },
  },
  {
    id: 'pathology.delay',
    rule: 'delay: the event leaves so much later, dated and signed then.',
    async holds(lab) {
      const { receiver, startedAt } = await struck(lab, { name: 'delay', milliseconds: 7_000 });
      await lab.advance(6_999);
      assert.equal((await receiver.arrivals()).length, 0);
      assert.equal((await receiver.delivery()).status, 'pending');
      await lab.advance(1);
      const { at } = only(await receiver.arrivals());
      assert.equal(Date.parse(at) - startedAt, 7_000);
      const { webhookTimestamp, pathology } = only((await receiver.delivery()).attempts);
      assert.deepEqual([webhookTimestamp, pathology], [Math.floor(startedAt / 1000) + 7, 'delay']);
    },
  },
  {
    id: 'pathology.drop',
    rule: 'drop-then-redeliver: nothing leaves, the row says dropped, and the retry of the profile comes through.',
    async holds(lab) {
      const { receiver, attempt } = await struck(lab, { name: 'drop-then-redeliver' });
      assert.equal((await receiver.arrivals()).length, 0);
      assert.deepEqual([attempt.status, attempt.error], [null, 'dropped']);
      assert.equal(attempt.webhookTimestamp, null);
      await lab.advance(400);
      assert.equal((await receiver.delivery()).status, 'delivered');
      assert.equal((await receiver.arrivals()).length, 1);
    },
  },
  ...(
    [
      ['stale', -1],
      ['future', 1],
    ] as const
  ).map(([when, sign]) => ({
    id: `pathology.${when}-timestamp`,
    rule: `${when}-timestamp: the event is dated ${sign < 0 ? 'back' : 'ahead'} by so many seconds, and signed for that date.`,
    async holds(lab: Lab): Promise<void> {
      const order = { name: `${when}-timestamp`, seconds: 4_321 };
      const { receiver, attempt, exchange, startedAt } = await struck(lab, order);
      const timestamp = Math.floor(startedAt / 1000) + sign * 4_321;
      assert.equal(headerOf(exchange, 'webhook-timestamp'), String(timestamp));
      assert.equal(headerOf(exchange, 'webhook-signature'), signatureOf(exchange, receiver));
      assert.equal(attempt.webhookTimestamp, timestamp);
      assert.deepEqual(exchange.differs, ['webhook-signature', 'webhook-timestamp']);
    },
  })),
  {
    id: 'pathology.wrong-secret',
    rule: 'wrong-secret: everything is as it was but the signature, which is well formed and not that of the endpoint.',
    async holds(lab) {
      const { receiver, exchange } = await struck(lab, { name: 'wrong-secret' });
      assert.deepEqual(exchange.differs, ['webhook-signature']);
      const signature = headerOf(exchange, 'webhook-signature');
      assert.match(signature, /^v1,[0-9a-f]{64}$/);
      assert.notEqual(signature, signatureOf(exchange, receiver));
    },
  },
  {
    id: 'pathology.tampered-body',
    rule: 'tampered-body: one byte of the body is another; it is still JSON with the same id.',
    async holds(lab) {
      const { exchange } = await struck(lab, { name: 'tampered-body' });
      assert.deepEqual(exchange.differs, ['body']);
      const sent = Buffer.from(exchange.sent?.body ?? '');
      const arrived = Buffer.from(exchange.arrived?.body ?? '');
      assert.equal(arrived.length, sent.length);
      assert.equal(sent.filter((byte, index) => byte !== arrived[index]).length, 1);
      assert.equal((JSON.parse(String(arrived)) as { id: string }).id, exchange.sent?.eventId);
    },
  },
  {
    id: 'pathology.truncated-body',
    rule: 'truncated-body: the length tells the whole, half of it comes, and the event is sent again.',
    async holds(lab) {
      const { receiver, attempt, exchange } = await struck(lab, { name: 'truncated-body' });
      const whole = exchange.sent?.body.length ?? 0;
      assert.equal(headerOf(exchange, 'content-length'), String(whole));
      assert.equal(exchange.arrived?.body?.length, Math.floor(whole / 2));
      assert.equal(exchange.arrived?.complete, false);
      assert.deepEqual([attempt.status, attempt.error], [null, 'body_truncated']);
      await lab.advance(400);
      assert.equal((await receiver.delivery()).status, 'delivered');
    },
  },
  {
    id: 'pathology.truncated-after',
    rule: 'truncated-body: so many bytes come as were ordered, but never the whole.',
    async holds(lab) {
      for (const bytes of [0, 10, 1_000_000]) {
        const { exchange } = await struck(lab, { name: 'truncated-body', bytes });
        const most = (exchange.sent?.body.length ?? 0) - 1;
        assert.equal(exchange.arrived?.body?.length ?? 0, Math.min(bytes, most));
        assert.equal(exchange.arrived?.complete, false);
      }
    },
  },
  {
    id: 'pathology.slow-drip',
    rule: 'slow-drip: the body comes in pieces spread over the time, whole and unchanged.',
    async holds(lab) {
      const order = { name: 'slow-drip', milliseconds: 4_000, pieces: 5 };
      const { receiver, startedAt, exchange } = await struck(lab, order);
      assert.deepEqual([exchange.sent?.pathology, exchange.arrived], ['slow-drip', null]);
      await lab.advance(3_999);
      assert.equal((await receiver.arrivals()).length, 0);
      await lab.advance(1);
      const { differs, arrived } = only(await receiver.exchanges());
      assert.deepEqual([differs, arrived?.complete], [[], true]);
      assert.equal(Date.parse(arrived?.at ?? '') - startedAt, 4_000);
      assert.equal((await receiver.delivery()).status, 'delivered');
    },
  },
  {
    id: 'pathology.slow-drip-deadline',
    rule: 'slow-drip: the deadline of the attempt still holds.',
    async holds(lab) {
      const { receiver, startedAt } = await struck(lab, {
        name: 'slow-drip',
        milliseconds: 60_000,
      });
      await lab.advance(10_000);
      const { error, finishedAt } = only((await receiver.delivery()).attempts);
      assert.deepEqual([error, Date.parse(finishedAt) - startedAt], ['timeout', 10_000]);
    },
  },
  {
    id: 'pathology.judged-alike',
    rule: 'What comes of a struck attempt is judged like any other: a 401 for a wrong signature ends delivery.',
    async holds(lab) {
      const { receiver } = await struck(lab, { name: 'wrong-secret' }, { status: 401 });
      const { status, endReason } = await receiver.delivery();
      assert.deepEqual([status, endReason], ['ended', 'final_status']);
    },
  },
];

/** A receiver whose first event was struck, with what came of that until now. */
async function struck(
  lab: Lab,
  order: object,
  ...answers: readonly object[]
): Promise<{
  receiver: Receiver;
  attempt: DeliveryAttempt;
  exchange: Exchange;
  startedAt: number;
}> {
  const receiver = await lab.receiver(...answers);
  await lab.plant({ ...order, endpointId: receiver.endpoint.id });
  const startedAt = await lab.now();
  const { attempts } = await receiver.tryOnce();
  // A connection that is cut is seen to end only some time after.
  if (attempts[0]?.error === 'body_truncated') {
    await lab.wait({ for: 'sink', id: receiver.sink.id, arrived: 1 });
  }
  const [exchange] = await receiver.exchanges();
  // Where nothing has left yet, the rule does not look at them.
  return {
    receiver,
    attempt: attempts[0] as DeliveryAttempt,
    exchange: exchange as Exchange,
    startedAt,
  };
}

function headerOf({ arrived }: Exchange, name: string): string {
  return arrived?.headers.find(([one]) => one?.toLowerCase() === name)?.[1] ?? '';
}

/** What a receiver with the right secret computes. */
function signatureOf(exchange: Exchange, { endpoint }: Receiver): string {
  const [id, timestamp] = ['webhook-id', 'webhook-timestamp'].map((name) =>
    headerOf(exchange, name),
  );
  const hmac = createHmac('sha256', endpoint.secret);
  return `v1,${hmac.update(`${id}.${timestamp}.${exchange.arrived?.body}`).digest('hex')}`;
}
