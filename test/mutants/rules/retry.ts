import { strict as assert } from 'node:assert';

import type { Delivery } from '@hookproof/spec/control';

import type { Rule } from './rule.ts';
import { only } from './server-client.ts';
import type { ServerClient } from './server-client.ts';

const DAY = 86_400_000;
/** Of each profile: attempts, first wait, growth, longest wait. */
const PROFILES = {
  real: [8, 5_000, 4, 3_600_000],
  fast: [8, 400, 2, 10_000],
  instant: [8, 0, 1, 0],
} as const;

/** How many attempts there are, and how long each wait between them is. */
export const retryRules: readonly Rule[] = [
  ...(['real', 'fast', 'instant'] as const).map((retryProfile) => ({
    id: `retry.profile-${retryProfile}`,
    rule: `The profile ${retryProfile} makes 8 attempts, each wait between half of its figure and the whole.`,
    async holds(lab: Parameters<Rule['holds']>[0]): Promise<void> {
      const client = retryProfile === 'fast' ? lab : await lab.start({ retryProfile });
      const [attempts, first, factor, longest] = PROFILES[retryProfile];
      const delivery = await failToTheEnd(client);
      assert.equal(delivery.attempts.length, attempts);
      for (const [index, wait] of waits(delivery).entries()) {
        const figure = Math.min(longest, first * factor ** index);
        assert.ok(wait >= figure / 2 && wait <= figure, `wait ${index + 1} is ${wait} ms`);
      }
    },
  })),
  {
    id: 'retry.exhausted',
    rule: 'After the last automatic attempt the delivery ends as attempts_exhausted, and nothing more is sent.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 503 });
      await receiver.sendTest();
      await lab.advance(DAY);
      const { status, endReason, nextAttemptAt, attempts } = await receiver.delivery();
      assert.deepEqual([status, endReason], ['ended', 'attempts_exhausted']);
      assert.equal(nextAttemptAt, null);
      await lab.advance(DAY);
      assert.equal((await receiver.arrivals()).length, attempts.length);
    },
  },
  {
    id: 'retry.spread',
    rule: 'The waits of deliveries that fail together are spread over the whole range.',
    async holds(lab) {
      const receiver = await lab.receiver({ status: 503 });
      await receiver.sendTest(20);
      await lab.settle();
      const first = (await receiver.deliveries()).map(nextWait);
      assert.ok(new Set(first).size > 10, `the waits are ${first.join(', ')}`);
      assert.ok(Math.min(...first) < 270 && Math.max(...first) > 330);
    },
  },
  {
    id: 'retry.seeded',
    rule: 'With the same seed the same deliveries wait equally long.',
    async holds(lab) {
      const found = await Promise.all(
        [lab.start({}), lab.start({})].map(async (starting) => {
          const delivery = await failToTheEnd(await starting);
          return [delivery.id, waits(delivery)];
        }),
      );
      assert.deepEqual(found[0], found[1]);
    },
  },
  {
    id: 'retry.row',
    rule: 'Each attempt has a row of its own that tells when it began and ended, and what came of it.',
    async holds(lab) {
      const busy = { status: 503, body: 'busy', afterMilliseconds: 700 };
      const receiver = await lab.receiver(busy, { status: 201 });
      const startedAt = await lab.now();
      await receiver.sendTest();
      await lab.advance(5_000);
      const { attempts, status } = await receiver.delivery();
      const [first, second] = attempts;
      assert.deepEqual(first, {
        number: 1,
        startedAt: new Date(startedAt).toISOString(),
        finishedAt: new Date(startedAt + 700).toISOString(),
        trigger: 'automatic',
        pathology: null,
        webhookTimestamp: Math.floor(startedAt / 1000),
        status: 503,
        error: null,
        detail: null,
        retryAfter: null,
        responseBody: 'busy',
      });
      assert.deepEqual([second?.number, second?.status, second?.responseBody], [2, 201, '']);
      assert.equal(status, 'delivered');
    },
  },
  {
    id: 'retry.failure-told',
    rule: 'The row of an attempt without answer has the code of the failure, and words for it.',
    async holds(lab) {
      const receiver = await lab.receiver({ reset: true });
      const { attempts } = await receiver.tryOnce();
      const { status, error, detail } = only(attempts);
      assert.deepEqual([status, error], [null, 'ECONNRESET']);
      assert.match(detail ?? '', /hang up|ECONNRESET/);
    },
  },
  {
    id: 'retry.final-statuses',
    rule: 'A status that no retry would change ends delivery as final_status, after one attempt.',
    holds: (lab) =>
      eachStatus(lab, [402, 405, 409, 418, 422, 426, 431, 451, 499], (delivery) => {
        assert.deepEqual([delivery.status, delivery.endReason], ['ended', 'final_status']);
      }),
  },
  {
    id: 'retry.retried-statuses',
    rule: 'Every 5xx is tried again, not only the common ones.',
    holds: (lab) =>
      eachStatus(lab, [501, 502, 504, 505, 507, 511, 520, 599], (delivery) => {
        assert.equal(delivery.status, 'pending');
        assert.notEqual(delivery.nextAttemptAt, null);
      }),
  },
  {
    id: 'retry.redirect-ends',
    rule: 'A redirect ends delivery as redirect_not_followed.',
    holds: (lab) =>
      eachStatus(lab, [300, 301, 302, 303, 304, 307, 308], (delivery) => {
        assert.deepEqual([delivery.status, delivery.endReason], ['ended', 'redirect_not_followed']);
      }),
  },
  {
    id: 'retry.redirect-not-followed',
    rule: 'Nothing is ever sent where a redirect points.',
    async holds(lab) {
      const elsewhere = await lab.sink();
      const statuses = [301, 302, 303, 307, 308];
      const headers = { Location: elsewhere.url };
      const receiver = await lab.receiver(...statuses.map((status) => ({ status, headers })));
      await receiver.sendTest(statuses.length);
      await lab.advance(DAY);
      assert.equal((await receiver.arrivals()).length, statuses.length);
      const { arrived } = await lab.control<{ arrived: number }>('GET', `/sinks/${elsewhere.id}`);
      assert.equal(arrived, 0);
    },
  },
];

async function failToTheEnd(client: ServerClient): Promise<Delivery> {
  const receiver = await client.receiver({ status: 503 });
  await receiver.sendTest();
  await client.advance(DAY);
  return receiver.delivery();
}

async function eachStatus(
  client: ServerClient,
  statuses: readonly number[],
  judge: (delivery: Delivery) => void,
): Promise<void> {
  const receiver = await client.receiver(...statuses.map((status) => ({ status })));
  await receiver.sendTest(statuses.length);
  await client.settle();
  const deliveries = await receiver.deliveries();
  const seen = deliveries.map(({ attempts }) => only(attempts).status);
  assert.deepEqual(
    seen.toSorted((a, b) => Number(a) - Number(b)),
    statuses,
  );
  for (const delivery of deliveries) judge(delivery);
}

/** From the end of each attempt to the beginning of the next. */
function waits({ attempts }: Delivery): number[] {
  return attempts
    .slice(1)
    .map(
      ({ startedAt }, index) =>
        Date.parse(startedAt) - Date.parse(attempts[index]?.finishedAt ?? ''),
    );
}

/** From the end of the last attempt to the one that is planned. */
export function nextWait({ attempts, nextAttemptAt }: Delivery): number {
  return Date.parse(nextAttemptAt ?? '') - Date.parse(attempts.at(-1)?.finishedAt ?? '');
}
