import { expect, test } from 'vitest';

import { AttemptCounts } from '../../../../conformance/src/checks/sender/attempts.ts';
import type { Delivery } from '../../../../conformance/src/clients/control-client.ts';
import type { ReceivedDelivery } from '../../../../conformance/src/listener/delivery.ts';

/** Arrivals of one event that are signed at these seconds, and get one status. */
function arrivals(id: string, status: number, seconds: readonly number[]): ReceivedDelivery[] {
  return seconds.map((second) => ({
    method: 'POST',
    url: '/',
    headers: [],
    body: Buffer.from(''),
    arrivedAt: second * 1_000,
    header: () => String(second),
    event: { id, type: 'run.created' },
    attempts: () => [],
    response: { status },
  }));
}

/** Whether delivery went on after 404, of a sender that lists these errors of the attempts. */
function continues(seconds: readonly number[], errors: readonly (string | null)[] | null): boolean {
  const all = [
    ...arrivals('whev_retried', 503, [0, 0, 1, 2]),
    ...arrivals('whev_ended', 404, seconds),
  ];
  const attempts = errors?.map((error) => ({ startedAt: '2026-07-01T12:00:00.000Z', error }));
  const records = attempts && [
    { id: 'whd_1', eventId: 'whev_ended', status: 'pending', attempts } satisfies Delivery,
  ];
  return new AttemptCounts(all, records ?? null).continuesAfter('404');
}

test('retries within a second are told from duplicates by the records of the sender', () => {
  expect(continues([0, 0, 0, 2], [null, null, null, null])).toBe(true);
  expect(continues([0, 0, 0, 2], [null, null])).toBe(false);
});

test('retries after lost responses are none after 404', () => {
  expect(continues([0, 1, 2, 2], ['reset', 'reset', null])).toBe(false);
});

test('without records, three times of signing are retries', () => {
  expect(continues([0, 1, 2], null)).toBe(true);
  expect(continues([0, 0, 2], null)).toBe(false);
});
