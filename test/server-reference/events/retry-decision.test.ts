import { expect, test } from 'vitest';

import { retryDecision } from '../../../server-reference/src/events/retry.ts';

/** The contract's rule for each status, written by hand. */
function expected(status: number): object {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 408 || status === 425 || status === 429) return { kind: 'retry' };
  if (status >= 500) return { kind: 'retry' };
  if (status >= 300 && status < 400) return { kind: 'end', reason: 'redirect_not_followed' };
  return { kind: 'end', reason: 'final_status' };
}

const STATUSES = Array.from({ length: 500 }, (_, index) => 100 + index);

test('decides every status from 100 to 599 by the contract', () => {
  const decisions = STATUSES.map((status) => [status, retryDecision({ kind: 'response', status })]);
  expect(decisions).toEqual(STATUSES.map((status) => [status, expected(status)]));
});

test('retries without a response, and ends a request that must not be sent', () => {
  expect(retryDecision({ kind: 'no_response' })).toEqual({ kind: 'retry' });
  expect(retryDecision({ kind: 'refused' })).toEqual({ kind: 'end', reason: 'target_refused' });
});
