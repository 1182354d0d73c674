import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { backoffDelay, RETRY_PROFILES } from '../../../server-reference/src/events/retry.ts';
import { seededRandom } from '../../../server-reference/src/store/seed.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const attempts = fc.integer({ min: 1, max: 50 });

describe.each(Object.entries(RETRY_PROFILES))('the profile %s', (_name, profile) => {
  test('waits at most its cap, and at least half of its nominal wait', () => {
    fc.assert(
      fc.property(attempts, random, (made, draw) => {
        const wait = Math.min(
          profile.capMilliseconds,
          profile.firstDelayMilliseconds * profile.factor ** (made - 1),
        );
        const delay = backoffDelay(profile, made, draw);
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(Math.floor(wait / 2));
        expect(delay).toBeLessThanOrEqual(Math.ceil(wait));
        expect(delay).toBeLessThanOrEqual(profile.capMilliseconds);
      }),
    );
  });

  test('waits no shorter after more attempts, for the same draw', () => {
    fc.assert(
      fc.property(attempts, random, (made, draw) => {
        expect(backoffDelay(profile, made + 1, draw)).toBeGreaterThanOrEqual(
          backoffDelay(profile, made, draw),
        );
      }),
    );
  });

  test('makes eight attempts', () => {
    expect(profile.attempts).toBe(8);
  });
});

test('the fast profile retries first after 200 to 400 ms and waits at most 10 s', () => {
  const { fast } = RETRY_PROFILES;
  expect([backoffDelay(fast, 1, 0), backoffDelay(fast, 1, 0.999_999)]).toEqual([200, 400]);
  expect([backoffDelay(fast, 7, 0), backoffDelay(fast, 7, 0.999_999)]).toEqual([5_000, 10_000]);
});

test('the instant profile does not wait', () => {
  expect(backoffDelay(RETRY_PROFILES.instant, 5, 0.9)).toBe(0);
});

test('seeded random numbers depend on seed and key alone, and spread over 0 to 1', () => {
  const draws = Array.from({ length: 1_000 }, (_, index) => seededRandom(1)(`key ${index}`));
  expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true);
  const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
  expect(mean).toBeGreaterThan(0.45);
  expect(mean).toBeLessThan(0.55);
  expect(seededRandom(1)('key 7')).toBe(draws[7]);
  expect(seededRandom(2)('key 7')).not.toBe(draws[7]);
});
