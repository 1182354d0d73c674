import { describe, expect, test } from 'vitest';

import { redirectTarget } from '../../../conformance/src/http/message.ts';

const REQUEST_URL = 'https://api.example/v1/files/1/content';

function target(status: number, location?: string): string | null {
  return redirectTarget(REQUEST_URL, {
    status,
    headers: location === undefined ? [] : [['Location', location]],
  });
}

describe('redirectTarget', () => {
  test.each([301, 302, 303, 307, 308])('returns the target of %i', (status) => {
    expect(target(status, 'https://storage.example/a?b=c')).toBe('https://storage.example/a?b=c');
  });

  test('resolves against the URL of the request', () => {
    expect(target(302, '/_storage/1?signature=2')).toBe(
      'https://api.example/_storage/1?signature=2',
    );
    expect(target(302, '//storage.example/1')).toBe('https://storage.example/1');
  });

  test.each([
    [200, 'https://storage.example/'],
    [404, 'https://storage.example/'],
    [302, undefined],
    [302, 'http://['],
    [302, 'file:///etc/passwd'],
    [302, 'data:text/plain,bytes'],
  ])('is null for %i with %s', (status, location) => {
    expect(target(status, location)).toBeNull();
  });
});
