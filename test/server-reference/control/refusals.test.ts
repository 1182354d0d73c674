import { expect, test } from 'vitest';

import { startControlled } from './control-client.ts';

/** Rules that a schema cannot put into words. */
test.each([
  ['/keys', {}, '<root>', 'needs exactly one of scope and wildcard'],
  ['/keys', { scope: [], wildcard: true }, '<root>', 'needs exactly one of scope and wildcard'],
  [
    '/faults',
    { match: {}, effect: {} },
    'effect',
    'needs latencyMilliseconds, or one of status, reset and truncateBody',
  ],
  [
    '/faults',
    { match: {}, effect: { latencyMilliseconds: 1, status: 500, reset: true } },
    'effect',
    'must have one end, but has status, reset',
  ],
  [
    '/examples',
    { name: 'a', input: [{ path: 'a', text: '', contentType: 'text' }] },
    'input[0].contentType',
    'must be a media type such as text/csv',
  ],
])('%s %j names what is wrong', async (path, json, field, message) => {
  const control = await startControlled();
  const { issues } = await control.expectError(400, path, { json });
  expect(issues).toEqual([{ field, message, code: 'invalid_value', severity: 'error' }]);
});

test('the media type of a given file may have parameters, as elsewhere', async () => {
  const control = await startControlled();
  const contentType = 'text/csv; charset=utf-8';
  const { input } = await control.expectOk<{ input: unknown }>(201, '/examples', {
    name: 'rows',
    input: [{ path: 'rows.csv', text: 'a,b', contentType }],
  });
  expect(input).toMatchObject([{ path: 'rows.csv', contentType }]);
});
