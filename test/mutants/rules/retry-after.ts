import { strict as assert } from 'node:assert';

import { nextWait } from './retry.ts';
import type { Rule } from './rule.ts';
import { only } from './server-client.ts';
import type { ServerClient } from './server-client.ts';

/** The profile `fast` waits no longer than this before the second attempt. */
const PROFILE_WAIT = 400;

const HOSTILE = [
  '',
  '-1',
  '+5',
  '1.5',
  '1e3',
  '0x10',
  '5 seconds',
  '5, 5',
  'NaN',
  'Infinity',
  '99999999999',
  '2026-07-02T00:00:00Z',
  'Thu, 02 Jul 2026 00:00:00 +0000',
  'Thursday, 02-Jul-26 00:00:00 GMT',
  'Fri, 02 Jul 2026 00:00:00 GMT',
];

/** What `Retry-After` does, and what it cannot do. */
export const retryAfterRules: readonly Rule[] = [
  {
    id: 'retry-after.seconds',
    rule: 'Retry-After in seconds puts the next attempt off by just so much, and the row has both numbers.',
    async holds(lab) {
      const [wait, retryAfter] = await answerWith(lab, '120');
      assert.equal(wait, 120_000);
      assert.deepEqual(retryAfter, { asked: 120, used: 120 });
    },
  },
  {
    id: 'retry-after.cap',
    rule: 'Retry-After is cut to an hour, and the row has what was asked and what was used.',
    async holds(lab) {
      for (const asked of [3_601, 86_400, 9_999_999_999]) {
        const [wait, retryAfter] = await answerWith(lab, String(asked));
        assert.equal(wait, 3_600_000);
        assert.deepEqual(retryAfter, { asked, used: 3_600 });
      }
    },
  },
  {
    id: 'retry-after.floor',
    rule: 'A Retry-After that is shorter than the wait of the profile is no shortcut.',
    async holds(lab) {
      const [wait, retryAfter] = await answerWith(lab, '0');
      assert.ok(wait >= PROFILE_WAIT / 2, `the wait is ${wait} ms`);
      assert.deepEqual(retryAfter, { asked: 0, used: 0 });
    },
  },
  {
    id: 'retry-after.date',
    rule: 'Retry-After as a date is counted from the answer.',
    async holds(lab) {
      const date = new Date((await lab.now()) + 95_000).toUTCString();
      const [, retryAfter] = await answerWith(lab, date, 5_000);
      assert.ok([90, 91].includes(retryAfter?.used ?? 0), `used is ${retryAfter?.used}`);
    },
  },
  {
    id: 'retry-after.past-date',
    rule: 'A date that is past asks for no wait.',
    async holds(lab) {
      const [wait, retryAfter] = await answerWith(lab, 'Sun, 06 Nov 1994 08:49:37 GMT');
      assert.ok(wait <= PROFILE_WAIT);
      assert.deepEqual(retryAfter, { asked: 0, used: 0 });
    },
  },
  {
    id: 'retry-after.hostile',
    rule: 'What is neither a whole number of at most ten digits nor an HTTP date is ignored.',
    async holds(lab) {
      for (const value of HOSTILE) {
        const [wait, retryAfter] = await answerWith(lab, value);
        assert.ok(wait <= PROFILE_WAIT, `'${value}' makes it wait for ${wait} ms`);
        assert.equal(retryAfter, null, value);
      }
    },
  },
  {
    id: 'retry-after.repeated',
    rule: 'A Retry-After that is repeated is ignored.',
    async holds(lab) {
      const { url } = await lab.listen((socket) =>
        socket.write(
          'HTTP/1.1 503 Busy\r\nRetry-After: 60\r\nretry-after: 60\r\nContent-Length: 0\r\n\r\n',
        ),
      );
      const { id } = await lab.endpoint(url);
      await lab.control('POST', `/webhook-endpoints/${id}/test`, {});
      await lab.settle();
      const delivery = only(await lab.deliveries(`?endpointId=${id}`));
      assert.equal(only(delivery.attempts).status, 503);
      assert.equal(only(delivery.attempts).retryAfter, null);
      assert.ok(nextWait(delivery) <= PROFILE_WAIT);
    },
  },
  {
    id: 'retry-after.only-retries',
    rule: 'Retry-After beside an answer that ends delivery means nothing.',
    async holds(lab) {
      const headers = { 'Retry-After': '5' };
      const receiver = await lab.receiver({ status: 400, headers }, { status: 200, headers });
      await receiver.sendTest(2);
      await lab.settle();
      for (const { attempts } of await receiver.deliveries()) {
        assert.equal(only(attempts).retryAfter, null);
      }
    },
  },
];

/** The wait that follows such an answer, and what its row has. */
async function answerWith(
  client: ServerClient,
  value: string,
  afterMilliseconds = 0,
): Promise<[number, { asked: number; used: number } | null]> {
  const headers = { 'Retry-After': value };
  const receiver = await client.receiver({ status: 503, headers, afterMilliseconds });
  await receiver.sendTest();
  await client.advance(afterMilliseconds);
  const delivery = await receiver.delivery();
  return [nextWait(delivery), only(delivery.attempts).retryAfter];
}
