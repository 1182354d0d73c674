import { describe, expect, test } from 'vitest';

import { responseProblems } from '../../../../server-reference/src/lab/sinks/script.ts';

describe('a scripted response', () => {
  test.each([
    { status: 200 },
    { status: 429, headers: { 'Retry-After': '2' }, body: 'slow down' },
    { status: 302, headers: { Location: 'http://127.0.0.1:1/', Date: 'today' } },
    { status: 204, body: '' },
    { hang: true as const },
    { reset: true as const, afterMilliseconds: 5 },
  ])('can be %j', (response) => {
    expect(responseProblems(response)).toEqual([]);
  });

  test.each([
    [{ 'Content-Length': '3' }, 'is set by HTTP and cannot be customized'],
    [{ 'transfer-encoding': 'chunked' }, 'is set by HTTP and cannot be customized'],
    [{ Connection: 'close' }, 'is set by HTTP and cannot be customized'],
    [{ 'Retry After': '3' }, 'must be a valid HTTP header name'],
    [{ '': '3' }, 'must be a valid HTTP header name'],
    [{ 'X-Note': 'one\r\nX-Two: 2' }, 'must contain only printable Latin-1 characters'],
    [{ 'X-Note': 'Łódź' }, 'must contain only printable Latin-1 characters'],
  ])('cannot have the header %j', (headers, message) => {
    const [name] = Object.keys(headers);
    const problems = responseProblems({ status: 200, headers });
    expect(problems).toEqual([{ path: ['headers', name], message }]);
  });

  test('cannot have a header twice', () => {
    const headers = { 'Retry-After': '1', 'retry-after': '2' };
    expect(responseProblems({ status: 503, headers })).toEqual([
      {
        path: ['headers', 'retry-after'],
        message: 'is a duplicate of another header in a different case',
      },
    ]);
  });

  test.each([204, 304])('of %d cannot have a body', (status) => {
    expect(responseProblems({ status, body: 'x' })).toEqual([
      { path: ['body'], message: `must be omitted, because a ${status} response has no body` },
    ]);
  });
});
