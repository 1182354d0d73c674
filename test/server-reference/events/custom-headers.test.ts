import { validateHeaderName, validateHeaderValue } from 'node:http';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { customHeaderProblems } from '../../../server-reference/src/events/custom-headers.ts';

test('accepts ordinary headers', () => {
  const headers = {
    Authorization: 'Bearer abc',
    'X-Team': 'blue\tgreen',
    'x-empty': '',
    'x-é': 'no',
  };
  expect(customHeaderProblems(headers)).toEqual([
    { name: 'x-é', message: 'must be a valid HTTP header name' },
  ]);
});

test('refuses each name that the sender sets itself, in any case', () => {
  const names = [
    'Webhook-Id webhook-timestamp WEBHOOK-SIGNATURE content-type Content-Length User-Agent Host',
    'Connection Keep-Alive Proxy-Connection Content-Encoding Transfer-Encoding Upgrade Expect TE Trailer',
  ].flatMap((line) => line.split(' '));
  for (const name of names) {
    expect(customHeaderProblems({ [name]: 'x' })).toEqual([
      { name, message: 'is set by the sender and cannot be customized' },
    ]);
  }
});

test.each(['', 'a b', 'a:b', 'a\r\nb', 'a\0', '(a)', `x${'y'.repeat(100)}`])(
  'refuses the name %j',
  (name) => {
    expect(customHeaderProblems({ [name]: 'x' })).toEqual([
      { name, message: 'must be a valid HTTP header name' },
    ]);
  },
);

test.each(['a\r\nX-Other: b', 'a\nb', 'a\0b', 'a\u007fb', 'snowman ☃', 'x'.repeat(4_001)])(
  'refuses the value %j',
  (value) => {
    expect(customHeaderProblems({ 'x-a': value })).toEqual([
      { name: 'x-a', message: 'must be at most 4000 printable Latin-1 characters' },
    ]);
  },
);

function numbered(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'v']));
}

test('refuses the same name twice, and more than twenty headers', () => {
  expect(customHeaderProblems({ 'x-a': '1', 'X-A': '2' })).toEqual([
    { name: 'X-A', message: 'is a duplicate of another header in a different case' },
  ]);
  expect(customHeaderProblems(numbered(20))).toEqual([]);
  expect(customHeaderProblems(numbered(21))).toEqual([
    { name: null, message: 'must have at most 20 headers, got 21' },
  ]);
});

const text = fc
  .array(fc.integer({ min: 0, max: 0x17f }), { maxLength: 8 })
  .map((codes) => String.fromCharCode(...codes));

test('every accepted header is valid for Node', () => {
  fc.assert(
    fc.property(text, text, (name, value) => {
      const problems = customHeaderProblems({ [name]: 'x', 'x-a': value });
      if (!problems.some((problem) => problem.name === name)) validateHeaderName(name);
      if (!problems.some((problem) => problem.name === 'x-a')) validateHeaderValue('x-a', value);
    }),
    { numRuns: 2_000 },
  );
});
