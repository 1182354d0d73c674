import { strict as assert } from 'node:assert';

import type { Lab } from './lab.ts';
import type { Rule } from './rule.ts';

const CHECK = '/v1/auth/check';
const LIMIT = { rateLimit: { requests: 3, windowSeconds: 60 } };

/** How requests are counted, and what follows. */
export const limitRules: readonly Rule[] = [
  {
    id: 'limit.window',
    rule: 'A key may make so many requests in a window that begins with its first one.',
    async holds(lab) {
      await lab.limit(LIMIT);
      await lab.advance(30_000);
      assert.deepEqual(await statuses(lab, 1), [200]);
      await lab.advance(40_000);
      assert.deepEqual(await statuses(lab, 3), [200, 200, 429]);
      await lab.advance(19_999);
      assert.deepEqual(await statuses(lab, 1), [429]);
      await lab.advance(1);
      assert.deepEqual(await statuses(lab, 4), [200, 200, 200, 429]);
    },
  },
  {
    id: 'limit.retry-after',
    rule: 'Retry-After is the whole seconds to the end of the window, rounded up.',
    async holds(lab) {
      await lab.limit(LIMIT);
      await statuses(lab, 3);
      for (const [milliseconds, seconds] of [
        [0, '60'],
        [1, '60'],
        [58_999, '1'],
      ] as const) {
        await lab.advance(milliseconds);
        assert.equal((await lab.api(CHECK)).headers['retry-after'], seconds);
      }
    },
  },
  {
    id: 'limit.each-key',
    rule: 'Each key has a count of its own; a request without a valid key counts for none.',
    async holds(lab) {
      const { keys } = await lab.world();
      await lab.limit(LIMIT);
      assert.equal((await lab.api(CHECK, { key: 'hpk_unknown' })).status, 401);
      assert.deepEqual(await statuses(lab, 4), [200, 200, 200, 429]);
      assert.equal((await lab.api(CHECK, { key: keys.reviewer })).status, 200);
    },
  },
  {
    id: 'limit.refused-count',
    rule: 'Requests that are answered 403, 404 or 400 count as well.',
    async holds(lab) {
      const { keys } = await lab.world();
      const key = keys.workflow;
      await lab.limit(LIMIT);
      const paths = [
        '/v1/dataset-review-requests',
        '/v1/runs/run_unknown',
        '/v1/runs?limit=0',
        CHECK,
      ];
      const answers: number[] = [];
      for (const path of paths) answers.push((await lab.api(path, { key })).status);
      assert.deepEqual(answers, [403, 404, 400, 429]);
    },
  },
  {
    id: 'limit.changed',
    rule: 'A limit that is named begins all counts anew, and null turns it off.',
    async holds(lab) {
      await lab.limit(LIMIT);
      await statuses(lab, 3);
      await lab.limit(LIMIT);
      assert.deepEqual(await statuses(lab, 4), [200, 200, 200, 429]);
      await lab.limit({ accounting: 'available' });
      assert.deepEqual(await statuses(lab, 1), [429]);
      await lab.limit({ rateLimit: null });
      assert.deepEqual(await statuses(lab, 1), [200]);
    },
  },
  {
    id: 'limit.accounting',
    rule: 'While requests cannot be counted, each is answered 503 with Retry-After and not processed.',
    async holds(lab) {
      const run = await lab.run();
      await lab.limit({ accounting: 'unavailable' });
      const { status, headers } = await lab.api(`/v1/runs/${run.id}/cancel`, { method: 'POST' });
      assert.deepEqual([status, headers['retry-after']], [503, '1']);
      await lab.limit({ accounting: 'available' });
      const { text } = await lab.api(`/v1/runs/${run.id}`);
      assert.equal((JSON.parse(text) as { status: string }).status, 'pending');
    },
  },
  {
    id: 'limit.before-faults',
    rule: 'The limits stand before planted faults: what they refuse no fault counts.',
    async holds(lab) {
      await lab.limit({ accounting: 'unavailable' });
      await lab.fault({ match: {}, effect: { status: 500 } });
      assert.deepEqual(await statuses(lab, 1), [503]);
    },
  },
];

/** Of so many requests of the wildcard key, one after another. */
async function statuses(lab: Lab, count: number): Promise<number[]> {
  const found: number[] = [];
  for (let number = 0; number < count; number += 1) found.push((await lab.api(CHECK)).status);
  return found;
}
