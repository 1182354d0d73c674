import { describe, expect, test } from 'vitest';

import { assertContract } from '../contract-client.ts';

const headers = {
  'x-request-id': 'req_00000000-0000-0000-0000-000000000000',
  'content-type': 'application/json; charset=utf-8',
};
const envelope = {
  issues: [{ field: '<root>', message: 'm', code: 'c', severity: 'error' }],
  requestId: headers['x-request-id'],
};

/** The guard of all route tests, seen to fail. */
describe('the contract wrapper of the route tests', () => {
  test('passes what the contract allows', () => {
    assertContract('GET', '/v1/templates?limit=1', {
      status: 200,
      headers,
      body: { items: [], total: 0 },
    });
    assertContract('GET', '/v1/templates', { status: 401, headers, body: envelope });
  });

  test.each([
    ['a body without a required field', 'GET', '/v1/templates', 200, { items: [] }, headers],
    [
      'an envelope with one field more',
      'GET',
      '/v1/templates',
      401,
      { ...envelope, stack: '' },
      headers,
    ],
    [
      'another request id in the header',
      'GET',
      '/v1/templates',
      401,
      { ...envelope, requestId: 'x' },
      headers,
    ],
    [
      'no request id',
      'GET',
      '/v1/templates',
      200,
      { items: [], total: 0 },
      { 'content-type': headers['content-type'] },
    ],
    ['an undocumented status', 'GET', '/v1/dataset-review-requests', 418, envelope, headers],
    ['success where there is no operation', 'GET', '/v1/nothing', 200, {}, headers],
    ['an envelope without issues', 'GET', '/v1/nothing', 404, { ...envelope, issues: [] }, headers],
  ])('refuses %s', (_what, method, path, status, body, given) => {
    expect(() => assertContract(method, path, { status, headers: given, body })).toThrow();
  });
});
