import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { readRange } from '../../../../server-reference/src/api/files/download.ts';
import { contentDisposition } from '../../../../server-reference/src/http/response.ts';

test.each([
  ['note.txt', 'attachment; filename="note.txt"'],
  ['two words.txt', 'attachment; filename="two words.txt"'],
  ['Süd.txt', `attachment; filename="S_d.txt"; filename*=UTF-8''S%C3%BCd.txt`],
  ['a"b\\c', `attachment; filename="a_b_c"; filename*=UTF-8''a%22b%5Cc`],
  ['100%41.txt', `attachment; filename="100_41.txt"; filename*=UTF-8''100%2541.txt`],
  ['(it’s).txt', `attachment; filename="(it_s).txt"; filename*=UTF-8''%28it%E2%80%99s%29.txt`],
  ['\r\nX: 1', `attachment; filename="__X: 1"; filename*=UTF-8''%0D%0AX%3A%201`],
  ['half \ud83d', `attachment; filename="half _"; filename*=UTF-8''half%20%EF%BF%BD`],
])('%j becomes %s', (name, header) => {
  expect(contentDisposition(name)).toBe(header);
});

/** A stored name has no folders: see `readFilename`. */
const storedName = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((name) => !name.includes('/') && name.trim() === name);

test('no name breaks the header, and every name can be read back', () => {
  fc.assert(
    fc.property(storedName, (name) => {
      const header = contentDisposition(name);
      const parsed =
        /^attachment; filename="([ !#-[\]-~]*)"(?:; filename\*=UTF-8''([\w.~!#$&+^`|%-]*))?$/.exec(
          header,
        );
      expect(parsed, header).not.toBeNull();
      const [, plain = '', encoded] = parsed ?? [];
      expect(encoded === undefined ? plain : decodeURIComponent(encoded)).toBe(name);
    }),
  );
});

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
