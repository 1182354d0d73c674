import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { countRequest } from '../../../../server-reference/src/platform/access/rate-limit.ts';
import type { RequestWindow } from '../../../../server-reference/src/platform/access/rate-limit.ts';

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
