import { expect, test } from 'vitest';

import {
  DeliveryQueue,
  MAX_ATTEMPTS,
} from '../../../server-reference/src/events/delivery-queue.ts';
import type { DueDelivery } from '../../../server-reference/src/events/delivery-queue.ts';

function due(deliveryId: string, endpointId: string, at = ''): DueDelivery {
  return { deliveryId, endpointId, at, dueAt: 0 };
}

test('an endpoint without a free place waits for one of its attempts, and no other endpoint does', () => {
  const queue = new DeliveryQueue();
  const full = Array.from({ length: MAX_ATTEMPTS + 1 }, (_, index) => due(`a${index}`, 'a'));
  for (const one of [...full, due('b', 'b')]) queue.add(one);
  const taken = Array.from(full, () => queue.take('a'));
  expect(taken).toEqual([...full.slice(0, MAX_ATTEMPTS), undefined]);
  expect(queue.take('b')).toMatchObject({ deliveryId: 'b' });
  queue.leave(due('a3', 'a'));
  expect(queue.take('a')).toBe(full[MAX_ATTEMPTS]);
});

test('a delivery that is added during its attempt is taken once after it', () => {
  const queue = new DeliveryQueue();
  const [first, again, later] = ['1', '2', '3'].map((at) => due('a', 'a', at));
  for (const one of [first, again, later]) {
    if (one !== undefined) queue.add(one);
    if (one === first) expect(queue.take('a')).toBe(first);
    else expect(queue.take('a')).toBeUndefined();
  }
  queue.leave(due('a', 'a'));
  expect([queue.take('a'), queue.take('a')]).toEqual([later, undefined]);
  expect(queue.isEmpty).toBe(false);
  queue.leave(due('a', 'a'));
  expect(queue.isEmpty).toBe(true);
});
