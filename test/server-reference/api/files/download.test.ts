import * as fc from 'fast-check';
import { expect, test } from 'vitest';

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
