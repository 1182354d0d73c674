import { expect, test } from 'vitest';

import { absence, missingRetry } from '../../../../conformance/src/checks/sender/absence.ts';
import type { Scene } from '../../../../conformance/src/checks/sender/scenes/scene.ts';
import type { ReceivedDelivery } from '../../../../conformance/src/listener/delivery.ts';

const SECOND = 1_000;

/** A delivery that got 503 at a time in seconds. */
function refused(id: string, at: number): ReceivedDelivery {
  return {
    method: 'POST',
    url: '/',
    headers: [],
    body: Buffer.from(''),
    arrivedAt: at * SECOND,
    header: () => undefined,
    event: { id },
    attempts: () => [],
    response: { status: 503 },
  };
}

/** What follows, after a number of seconds, from the missing retry of an event that arrived at 0. */
function judged(
  others: readonly ReceivedDelivery[],
  endedAt: number,
  errors: readonly (string | null)[] = [null],
) {
  const first = refused('whev_silent', 0);
  const scene = {
    deliveries: [first, ...others],
    endedAt: endedAt * SECOND,
    records: [{ eventId: 'whev_silent', attempts: errors.map((error) => ({ error })) }],
    waited: { milliseconds: 1_000, clock: 'real', doubt: null },
  };
  return missingRetry(scene as unknown as Scene, [first], 'a retry');
}

const RETRIED_AFTER_10_S = [refused('whev_a', 0), refused('whev_a', 10), refused('whev_a', 30)];

test('a missing retry is no violation while no other event was retried', () => {
  expect(judged([], 30)).toMatchObject({
    code: 'inconclusive',
    message:
      'Cannot judge: no event was retried within the retry window, and the contract does not say how soon a retry comes.',
    remedy: { need: 'retryWindow', text: expect.stringMatching(/^--retry-window SECONDS/) },
  });
});

test('a missing retry is no violation within the delay of other retries', () => {
  expect(judged(RETRIED_AFTER_10_S, 24)).toMatchObject({
    code: 'inconclusive',
    message: expect.stringContaining('the retry window is too short'),
  });
});

test('a missing retry is a violation long after other events were retried', () => {
  expect(judged(RETRIED_AFTER_10_S, 25)).toMatchObject({
    code: 'violation',
    detail: { actual: 'none within 25 s, while other events were retried after at most 10 s' },
  });
});

/** An event that was created at 0 and sent after a number of seconds. */
function sentAfter(seconds: number): ReceivedDelivery {
  return {
    ...refused('whev_late', seconds),
    event: { id: 'whev_late', createdAt: new Date(0).toISOString() },
    header: (name) => (name === 'webhook-timestamp' ? String(seconds) : undefined),
  };
}

test.each([
  ['nothing at all arrived', [], 'inconclusive'],
  ['other events were sent after as long', [sentAfter(40)], 'inconclusive'],
  ['other events were sent at once', [sentAfter(1)], 'violation'],
])('what did not arrive within 30 s while %s', (_case, deliveries, code) => {
  const waited = { milliseconds: 30_000, clock: 'real', doubt: null } as const;
  expect(absence({ deliveries, waited }, 'run.created')).toMatchObject({ code });
});

test('nothing is a violation while deliveries were on their way', () => {
  const waited = { milliseconds: 1, clock: 'virtual', doubt: 'deliveries were under way' } as const;
  expect(absence({ deliveries: [sentAfter(1)], waited }, 'run.created')).toMatchObject({
    code: 'inconclusive',
    message: 'Cannot judge: expected run.created, but deliveries were under way.',
  });
});

test('a missing retry is no violation while the sender lists one without a response', () => {
  expect(judged(RETRIED_AFTER_10_S, 25, [null, 'timeout'])).toMatchObject({
    code: 'inconclusive',
    message: expect.stringContaining('lists several attempts of whev_silent'),
  });
});

test('a missing retry that the sender lists with a response is a violation', () => {
  expect(judged(RETRIED_AFTER_10_S, 25, [null, null])).toMatchObject({ code: 'violation' });
});
