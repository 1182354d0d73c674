import { expect, test } from 'vitest';

import { firstDifference } from '../../../conformance/src/check-kit/first-difference.ts';

test.each([
  [{ a: 1, b: [1, { c: 2 }] }, { a: 1, b: [1, { c: 2 }] }, null],
  [
    { a: 1, b: [1, { c: 2 }], d: 4 },
    { a: 1, b: [1, { c: 3 }], d: 5 },
    { path: 'b[1].c', before: 2, after: 3 },
  ],
  [{ a: [1] }, { a: [1, 2] }, { path: 'a[1]', before: undefined, after: 2 }],
  [{ a: 1 }, {}, { path: 'a', before: 1, after: undefined }],
  [{ a: { b: 1 } }, { a: [1] }, { path: 'a', before: { b: 1 }, after: [1] }],
  [
    `${'a'.repeat(500)}b${'c'.repeat(9)}`,
    `${'a'.repeat(500)}d`,
    { path: '', before: `…${'a'.repeat(60)}b${'c'.repeat(9)}`, after: `…${'a'.repeat(60)}d` },
  ],
  ['one', 'other', { path: '', before: 'one', after: 'other' }],
])('of %j and %j: %j', (before, after, difference) => {
  expect(firstDifference(before, after)).toEqual(difference);
});
