import { expect, test } from 'vitest';

import { failureDetail } from '../../../server-reference/src/events/attempt-result.ts';

test('a failure at several addresses names each of them', () => {
  const errors = ['connect ECONNREFUSED ::1:9', 'connect ECONNREFUSED 127.0.0.1:9'];
  expect(failureDetail(new AggregateError(errors.map((message) => new Error(message))))).toBe(
    'connect ECONNREFUSED ::1:9; connect ECONNREFUSED 127.0.0.1:9',
  );
});

test('the text of a certificate error is kept up to 500 characters', () => {
  const altnames = `Hostname does not match: ${'DNS:a.example, '.repeat(1_000)}`;
  expect(failureDetail(new Error(altnames))).toBe(altnames.slice(0, 500));
});
