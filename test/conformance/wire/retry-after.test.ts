import { expect, test } from 'vitest';

import { retryAfterMilliseconds } from '../../../conformance/src/wire/throttle.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['0', 0],
  ['7', 7_000],
  [' 7 ', 7_000],
  ['Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
  ['Thu, 01 Jan 2026 00:00:00 GMT', 0],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  [undefined, 1_000],
  ['', 1_000],
  ['soon', 1_000],
])('Retry-After %j means %i ms', (header, milliseconds) => {
  expect(retryAfterMilliseconds(header, NOW)).toBe(milliseconds);
});
