import { expect, test } from 'vitest';

import { DeliveryQueue } from '../../../server-reference/src/events/delivery-queue.ts';

function filled(mostAttempts: number, shareOfFree: number): DeliveryQueue {
  const queue = new DeliveryQueue(mostAttempts, shareOfFree);
  for (const [deliveryId, endpointId, dueAt] of [
    ['a1', 'a', 1],
    ['a2', 'a', 2],
    ['a3', 'a', 3],
    ['b1', 'b', 4],
    ['late', 'b', 100],
  ] as const) {
    queue.add({ deliveryId, endpointId, dueAt }, 0);
  }
  return queue;
}

test('endpoints take turns, each in its own order; deliveries that are not due wait', () => {
  const queue = filled(256, 1 / 16);
  const taken = Array.from({ length: 5 }, () => queue.take(10));
  expect(taken).toEqual(['a1', 'b1', 'a2', 'a3', undefined]);
  for (const id of taken) queue.leave(id ?? '');
  expect([queue.isIdle(10), queue.nextDueAt]).toEqual([true, 100]);
  expect([queue.take(100), queue.nextDueAt]).toEqual(['late', undefined]);
});

test('an endpoint without a free slot is skipped until one of its attempts has ended', () => {
  const queue = filled(16, 1 / 16);
  const taken = Array.from({ length: 3 }, () => queue.take(10));
  expect(taken).toEqual(['a1', 'b1', undefined]);
  expect(queue.isIdle(10)).toBe(false);
  queue.leave('a1');
  expect(queue.take(10)).toBe('a2');
});

test('nothing is taken while every slot is occupied', () => {
  const queue = filled(2, 1);
  expect(Array.from({ length: 3 }, () => queue.take(10))).toEqual(['a1', 'b1', undefined]);
  queue.leave('a1');
  expect([queue.take(10), queue.take(10)]).toEqual(['a2', undefined]);
});

test('a delivery that is added during its attempt is taken after it', () => {
  const queue = filled(256, 1);
  expect(queue.take(1)).toBe('a1');
  queue.add({ deliveryId: 'a1', endpointId: 'a', dueAt: 1 }, 1);
  expect(queue.take(1)).toBeUndefined();
  queue.leave('a1');
  expect(queue.take(1)).toBe('a1');
});
