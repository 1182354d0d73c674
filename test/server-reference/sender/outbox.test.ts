import { expect, test } from 'vitest';

import { Outbox } from '../../../server-reference/src/sender/outbox.ts';

function filled(mostPerEndpoint: number): Outbox {
  const outbox = new Outbox(mostPerEndpoint);
  for (const [deliveryId, endpointId, dueAt] of [
    ['a1', 'a', 1],
    ['a2', 'a', 2],
    ['a3', 'a', 3],
    ['b1', 'b', 4],
    ['late', 'b', 100],
  ] as const) {
    outbox.add({ deliveryId, endpointId, dueAt });
  }
  return outbox;
}

test('endpoints take turns, each with its own order; what is not due waits', () => {
  const outbox = filled(16);
  const taken = Array.from({ length: 5 }, () => outbox.take(10));
  expect(taken).toEqual(['a1', 'b1', 'a2', 'a3', undefined]);
  expect([outbox.hasDue(10), outbox.nextDueAt]).toEqual([false, 100]);
  expect([outbox.take(100), outbox.nextDueAt]).toEqual(['late', undefined]);
});

test('an endpoint without room is passed over until an attempt of it has ended', () => {
  const outbox = filled(1);
  outbox.enter('a');
  expect([outbox.take(10), outbox.take(10)]).toEqual(['b1', undefined]);
  expect(outbox.hasDue(10)).toBe(true);
  outbox.leave('a');
  expect(outbox.take(10)).toBe('a1');
});
