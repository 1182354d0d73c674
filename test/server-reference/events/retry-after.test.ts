import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  readRetryAfter,
  RETRY_AFTER_CAP_SECONDS,
} from '../../../server-reference/src/events/retry.ts';

const NOW = Date.parse('2026-07-01T00:00:00.000Z');

describe('readRetryAfter', () => {
  test.each([
    ['0', { asked: 0, used: 0 }],
    ['7', { asked: 7, used: 7 }],
    ['007', { asked: 7, used: 7 }],
    ['3600', { asked: 3600, used: 3600 }],
    ['3601', { asked: 3601, used: 3600 }],
    ['9999999999', { asked: 9_999_999_999, used: 3600 }],
    ['Wed, 01 Jul 2026 00:01:30 GMT', { asked: 90, used: 90 }],
    ['Wed, 01 Jul 2026 12:00:00 GMT', { asked: 43_200, used: 3600 }],
    ['Tue, 30 Jun 2026 23:00:00 GMT', { asked: 0, used: 0 }],
  ])('reads %s', (value, expected) => {
    expect(readRetryAfter([value], NOW)).toEqual(expected);
  });

  test.each([
    '',
    ' ',
    '-1',
    '+5',
    '1.5',
    '5s',
    '5 ',
    ' 5',
    '0x10',
    '1e3',
    'Infinity',
    'NaN',
    '٥',
    '99999999999',
    'soon',
    '2026-07-01T00:01:30Z',
    'Wed, 01 Jul 2026 00:01:30',
    'Wed, 01 Jul 2026 00:01:30 UTC',
    'Wed, 01 Jul 2026 00:01:30 +0000',
    'Thu, 01 Jul 2026 00:01:30 GMT',
    'wed, 01 jul 2026 00:01:30 gmt',
    'Wednesday, 01-Jul-26 00:01:30 GMT',
    'Wed, 32 Jul 2026 00:01:30 GMT',
    '5, 6',
    '5\n',
  ])('ignores %j', (value) => {
    expect(readRetryAfter([value], NOW)).toBeNull();
  });

  test('ignores a header that is missing or repeated', () => {
    expect(readRetryAfter([], NOW)).toBeNull();
    expect(readRetryAfter(['5', '5'], NOW)).toBeNull();
  });

  test('returns a whole number of seconds within the cap for any value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.nat().map(String), fc.date().map(String)), (value) => {
        const read = readRetryAfter([value], NOW);
        if (read === null) return;
        expect(Number.isSafeInteger(read.asked)).toBe(true);
        expect(read.used).toBe(Math.min(read.asked, RETRY_AFTER_CAP_SECONDS));
        expect(read.used).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('reads every HTTP date to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (seconds) => {
        const date = new Date(NOW + seconds * 1000).toUTCString();
        expect(readRetryAfter([date], NOW)?.asked).toBe(seconds);
      }),
    );
  });
});
