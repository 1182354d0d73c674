import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { readRange } from '../../../../server-reference/src/platform/files/read-range.ts';

test.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-5', { start: 2, end: 5 }],
  ['Bytes=2-', { start: 2, end: 9 }],
  ['bytes=9-100', { start: 9, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-10', { start: 0, end: 9 }],
  ['bytes=-100', { start: 0, end: 9 }],
])('%s of ten bytes is a range', (header, range) => {
  expect(readRange(header, 10)).toMatchObject(range);
});

test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])(
  '%s of ten bytes is unsatisfiable',
  (header) => {
    expect(readRange(header, 10)).toBe('unsatisfiable');
  },
);

test.each([
  undefined,
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=a-b',
  'bytes=5-2',
  'bytes=1-2,4-5',
  'bytes=1-2,20-',
  'bytes= 1-2',
  'bytes=1.0-2',
  'bytes=0x1-2',
  'items=1-2',
])('%s means the whole file', (header) => {
  expect(readRange(header, 10)).toBeNull();
});

test.each(['bytes=0-', 'bytes=-1', 'bytes=0-0'])(
  '%s of an empty file is unsatisfiable',
  (header) => {
    expect(readRange(header, 0)).toBe('unsatisfiable');
  },
);

test('a range is within the file for any header', () => {
  const position = fc.option(fc.nat(60), { nil: '' });
  fc.assert(
    fc.property(position, position, fc.integer({ min: 0, max: 40 }), (first, last, size) => {
      const range = readRange(`bytes=${first}-${last}`, size);
      if (range === null || range === 'unsatisfiable') return;
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.end).toBeGreaterThanOrEqual(range.start);
      expect(range.end).toBeLessThan(size);
    }),
  );
});
