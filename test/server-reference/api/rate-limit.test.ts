import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { countRequest } from '../../../server-reference/src/api/rate-limit.ts';
import type { RequestWindow } from '../../../server-reference/src/api/rate-limit.ts';
import { call } from '../contract-client.ts';
import type { ApiResponse } from '../contract-client.ts';
import { openControlled } from '../lab/control/control-client.ts';
import type { ControlClient } from '../lab/control/control-client.ts';
import type { OpenApp } from '../open-app.ts';

const limit = fc.record({
  requests: fc.integer({ min: 1, max: 5 }),
  windowSeconds: fc.integer({ min: 1, max: 100 }),
});
/** Times between requests, in milliseconds. */
const waits = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60_000 })), {
  maxLength: 40,
});

test('a refused request succeeds exactly after its Retry-After, and not a second earlier', () => {
  fc.assert(
    fc.property(limit, waits, (rateLimit, steps) => {
      let window: RequestWindow | undefined;
      let now = 1_000_000;
      for (const step of steps) {
        now += step;
        const { window: next, retryAfterSeconds: wait } = countRequest(window, rateLimit, now);
        window = next;
        if (wait === null) continue;
        expect(Number.isInteger(wait) && wait >= 1).toBe(true);
        const retried = (seconds: number): boolean =>
          countRequest(next, rateLimit, now + seconds * 1000).retryAfterSeconds === null;
        expect([retried(wait), retried(wait - 1)]).toEqual([true, false]);
      }
    }),
  );
});

test('no window exceeds the limit, and no request below the limit is refused', () => {
  fc.assert(
    fc.property(limit, waits, (rateLimit, steps) => {
      let window: RequestWindow | undefined;
      let now = 1_000_000;
      const admitted: number[] = [];
      for (const step of steps) {
        now += step;
        const counted = countRequest(window, rateLimit, now);
        window = counted.window;
        const sinceStart = admitted.filter((at) => at >= counted.window.startedAt).length;
        expect(counted.retryAfterSeconds === null).toBe(sinceStart < rateLimit.requests);
        if (counted.retryAfterSeconds === null) admitted.push(now);
      }
    }),
  );
});

test('a clock that was set back begins a new window', () => {
  const rateLimit = { requests: 1, windowSeconds: 10 };
  const { window } = countRequest(undefined, rateLimit, 50_000);
  expect(countRequest(window, rateLimit, 59_999).retryAfterSeconds).toBe(1);
  expect(countRequest(window, rateLimit, 20_000).retryAfterSeconds).toBeNull();
});

function check(app: OpenApp, key: string | null): Promise<ApiResponse> {
  return call(app.listener, { path: '/v1/auth/check', key });
}

function patch(control: ControlClient, json: unknown): Promise<unknown> {
  return control.call('/limits', { method: 'PATCH', json });
}

function code(response: ApiResponse): string {
  return response.body.issues[0].code;
}

describe('the rate limit', () => {
  test('applies to each key separately', async () => {
    const { app } = await openControlled({ rateLimit: { requests: 2, windowSeconds: 60 } });
    const { wildcard, reviewer } = app.world.keys;
    const statuses = [];
    for (const key of [wildcard, wildcard, wildcard, reviewer, wildcard]) {
      statuses.push((await check(app, key)).status);
    }
    expect(statuses).toEqual([200, 200, 429, 200, 429]);
  });

  test('counts every request with a valid key, whatever its result, and no other', async () => {
    const { app } = await openControlled({ rateLimit: { requests: 4, windowSeconds: 60 } });
    const { workflow, revoked } = app.world.keys;
    for (const key of [null, 'unknown', revoked]) {
      for (let made = 0; made < 5; made += 1) {
        expect((await check(app, key)).status).toBe(401);
      }
    }
    const refused = await call(app.listener, {
      path: '/v1/dataset-review-requests',
      key: workflow,
    });
    const unknown = await call(app.listener, { path: '/v1/nothing', key: workflow });
    const invalid = await call(app.listener, { path: '/v1/runs?limit=0', key: workflow });
    expect([refused.status, unknown.status, invalid.status]).toEqual([403, 404, 400]);
    expect((await check(app, workflow)).status).toBe(200);
    expect((await check(app, workflow)).status).toBe(429);
  });

  test('is off by default, and restarts all counts when it changes', async () => {
    const { app, ...control } = await openControlled();
    const key = app.world.keys.ocr;
    expect(await control.expectOk(200, '/limits')).toEqual({
      rateLimit: null,
      accounting: 'available',
    });
    const rateLimit = { requests: 1, windowSeconds: 60 };
    await patch(control, { rateLimit });
    expect(await control.expectOk(200, '/limits')).toMatchObject({ rateLimit });
    const before = [await check(app, key), await check(app, key)];
    await patch(control, { accounting: 'available' });
    const unchanged = await check(app, key);
    await patch(control, { rateLimit });
    const after = [await check(app, key), await check(app, key)];
    await patch(control, { rateLimit: null });
    const off = [await check(app, key), await check(app, key)];
    expect([...before, unchanged, ...after, ...off].map(({ status }) => status)).toEqual([
      200, 429, 429, 200, 429, 200, 200,
    ]);
  });
});

describe('unavailable accounting', () => {
  test('responds 503 to a valid key, and 401 to others', async () => {
    const { app, ...control } = await openControlled();
    await patch(control, { accounting: 'unavailable' });
    const refused = await check(app, app.world.keys.ocr);
    expect([refused.status, code(refused)]).toEqual([503, 'accounting_unavailable']);
    expect(refused.headers['retry-after']).toBe('1');
    expect((await check(app, 'unknown')).status).toBe(401);
  });

  test('precedes API faults, which do not count the request', async () => {
    const { app, ...control } = await openControlled();
    await patch(control, { accounting: 'unavailable' });
    await control.expectOk(201, '/api-faults', { match: {}, effect: { status: 500 } });
    expect((await check(app, app.world.keys.ocr)).status).toBe(503);
    expect(await control.expectOk(200, '/api-faults')).toMatchObject({ data: [{ matched: 0 }] });
  });
});
