import { expect, test } from 'vitest';

import { Outbox } from '../../../../server-reference/src/platform/sender/outbox.ts';

function filled(mostAttempts: number, shareOfFree: number): Outbox {
  const outbox = new Outbox(mostAttempts, shareOfFree);
  for (const [deliveryId, endpointId, dueAt] of [
    ['a1', 'a', 1],
    ['a2', 'a', 2],
    ['a3', 'a', 3],
    ['b1', 'b', 4],
    ['late', 'b', 100],
  ] as const) {
    outbox.add({ deliveryId, endpointId, dueAt }, 0);
  }
  return outbox;
}

test('endpoints take turns, each in its own order; deliveries that are not due wait', () => {
  const outbox = filled(256, 1 / 16);
  const taken = Array.from({ length: 5 }, () => outbox.take(10));
  expect(taken).toEqual(['a1', 'b1', 'a2', 'a3', undefined]);
  expect([outbox.hasDue(10), outbox.nextDueAt]).toEqual([false, 100]);
  expect([outbox.take(100), outbox.nextDueAt]).toEqual(['late', undefined]);
});

test('an endpoint without a free place is skipped until one of its attempts has ended', () => {
  const outbox = filled(16, 1 / 16);
  outbox.enter('a');
  expect([outbox.take(10), outbox.take(10)]).toEqual(['b1', undefined]);
  expect(outbox.hasDue(10)).toBe(true);
  outbox.leave('a');
  expect(outbox.take(10)).toBe('a1');
});

test('nothing is taken while every place is occupied', () => {
  const outbox = filled(2, 1);
  outbox.enter('a');
  outbox.enter('c');
  expect(outbox.take(10)).toBeUndefined();
  outbox.leave('c');
  expect([outbox.take(10), outbox.take(10)]).toEqual(['b1', undefined]);
});

test('a hundred hanging endpoints leave room for the others', () => {
  const outbox = new Outbox(256, 1 / 16);
  for (let endpoint = 0; endpoint < 100; endpoint += 1) {
    for (let delivery = 0; delivery < 50; delivery += 1) {
      const endpointId = `hung-${endpoint}`;
      outbox.add({ deliveryId: `${endpointId}/${delivery}`, endpointId, dueAt: 0 }, 0);
    }
  }
  let hanging = 0;
  for (let id = outbox.take(0); id !== undefined; id = outbox.take(0)) {
    outbox.enter(id.split('/')[0] ?? '');
    hanging += 1;
  }
  expect(hanging).toBeGreaterThanOrEqual(100);
  expect(hanging).toBeLessThanOrEqual(230);
  outbox.add({ deliveryId: 'quick', endpointId: 'quick', dueAt: 0 }, 0);
  expect(outbox.take(0)).toBe('quick');
});
