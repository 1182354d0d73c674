import { strict as assert } from 'node:assert';

import type { ErrorEnvelope } from '@hookproof/spec';
import type { Fault } from '@hookproof/spec/control';
import { request } from 'undici';

import type { Lab } from './lab.ts';
import type { Rule } from './rule.ts';
import { only } from './server-client.ts';
import type { ApiAnswer } from './server-client.ts';

const STATUSES = [400, 401, 403, 404, 409, 413, 429, 500, 503] as const;
const CHECK = '/v1/auth/check';

/** What each effect of a planted fault does to a request. */
export const faultRules: readonly Rule[] = [
  {
    id: 'fault.latency',
    rule: 'latencyMilliseconds: the request waits so long by the clock, and then goes on.',
    async holds(lab) {
      const { id } = await lab.fault({ match: {}, effect: { latencyMilliseconds: 3_000 } });
      let answered = false;
      const asking = lab.api(CHECK).then((answer) => {
        answered = true;
        return answer;
      });
      await lab.wait({ for: 'fault', id, hits: 1 });
      await lab.advance(2_999);
      assert.equal(answered, false);
      await lab.advance(1);
      assert.equal((await asking).status, 200);
    },
  },
  {
    id: 'fault.latency-and-status',
    rule: 'A latency beside a status: first the wait, then that answer.',
    async holds(lab) {
      const effect = { latencyMilliseconds: 3_000, status: 500 };
      const { id } = await lab.fault({ match: {}, effect });
      const asking = lab.api(CHECK);
      await lab.wait({ for: 'fault', id, hits: 1 });
      await lab.advance(3_000);
      assert.equal((await asking).status, 500);
    },
  },
  {
    id: 'fault.status',
    rule: 'status: the request is answered with it, in the envelope, with the code planted_fault.',
    async holds(lab) {
      for (const status of STATUSES) {
        await lab.fault({ match: {}, times: 1, effect: { status } });
        const answer = await lab.api(CHECK);
        assert.equal(answer.status, status);
        assert.equal(only((JSON.parse(answer.text) as ErrorEnvelope).issues).code, 'planted_fault');
      }
    },
  },
  {
    id: 'fault.retry-after',
    rule: 'status: 429 and 503 carry Retry-After, 1 unless the order says otherwise; the others only when it does.',
    async holds(lab) {
      for (const [effect, expected] of [
        [{ status: 429 }, '1'],
        [{ status: 503 }, '1'],
        [{ status: 503, retryAfter: 17 }, '17'],
        [{ status: 500 }, undefined],
        [{ status: 500, retryAfter: 0 }, '0'],
      ] as const) {
        await lab.fault({ match: {}, times: 1, effect });
        assert.equal((await lab.api(CHECK)).headers['retry-after'], expected);
      }
    },
  },
  {
    id: 'fault.status-not-processed',
    rule: 'status: the request is not processed.',
    async holds(lab) {
      const run = await lab.run();
      await lab.fault({ match: {}, times: 1, effect: { status: 500 } });
      assert.equal((await cancel(lab, run)).status, 500);
      assert.equal(await statusOf(lab, run), 'pending');
    },
  },
  {
    id: 'fault.reset',
    rule: 'reset: the connection is reset, and the request is not processed.',
    async holds(lab) {
      const run = await lab.run();
      await lab.fault({ match: {}, times: 1, effect: { reset: true } });
      await assert.rejects(cancel(lab, run), { code: 'ECONNRESET' });
      assert.equal(await statusOf(lab, run), 'pending');
    },
  },
  {
    id: 'fault.truncated',
    rule: 'truncateBody: the answer declares more than the bytes that come, and the connection ends.',
    async holds(lab) {
      const { keys } = await lab.world();
      for (const bytes of [0, 7, 100_000]) {
        await lab.fault({ match: {}, times: 1, effect: { truncateBody: bytes } });
        const { status, declared, came, whole } = await readSome(
          lab.baseUrl + CHECK,
          keys.wildcard,
        );
        assert.equal(status, 200);
        assert.ok(declared > came && !whole, `${came} of ${declared} bytes came`);
        if (bytes < 100) assert.equal(came, bytes);
      }
    },
  },
  {
    id: 'fault.truncated-processed',
    rule: 'truncateBody: the request is processed.',
    async holds(lab) {
      const run = await lab.run();
      await lab.fault({ match: {}, times: 1, effect: { truncateBody: 3 } });
      await assert.rejects(cancel(lab, run));
      assert.equal(await statusOf(lab, run), 'cancelled');
    },
  },
  {
    id: 'fault.valid-key',
    rule: 'Faults befall requests with a valid key alone, and before their scope is looked at.',
    async holds(lab) {
      const { id } = await lab.fault({ match: {}, effect: { status: 409 } });
      const { keys } = await lab.world();
      assert.equal((await lab.api('/v1/runs', { key: keys.reviewer })).status, 409);
      assert.equal((await lab.api('/v1/runs', { key: 'hpk_unknown' })).status, 401);
      const all = (await lab.control<{ data: Fault[] }>('GET', '/faults')).data;
      assert.equal(all.find((one) => one.id === id)?.matched, 1);
    },
  },
];

async function readSome(
  url: string,
  key: string,
): Promise<{ status: number; declared: number; came: number; whole: boolean }> {
  const { statusCode, headers, body } = await request(url, {
    headers: { authorization: `Bearer ${key}` },
  });
  const declared = Number(headers['content-length']);
  let came = 0;
  try {
    for await (const chunk of body) came += (chunk as Buffer).length;
    return { status: statusCode, declared, came, whole: true };
  } catch {
    return { status: statusCode, declared, came, whole: false };
  }
}

function cancel(lab: Lab, { id }: { id: string }): Promise<ApiAnswer> {
  return lab.api(`/v1/runs/${id}/cancel`, { method: 'POST' });
}

async function statusOf(lab: Lab, { id }: { id: string }): Promise<string> {
  return (await lab.control<{ status: string }>('GET', `/runs/${id}`)).status;
}
