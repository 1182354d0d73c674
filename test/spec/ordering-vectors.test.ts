import { loadOrderingVectors } from '@hookproof/spec/vectors';
import { describe, expect, test } from 'vitest';

import { detected, mistakes } from './ordering-mistakes.ts';

const file = loadOrderingVectors();
const vectors = file.groups.flatMap((group) => group.vectors);

test('a repeated event is the same event', () => {
  for (const { events } of vectors) {
    const distinct = new Set(events.map((event) => JSON.stringify(event)));
    expect(distinct.size).toBe(new Set(events.map(({ id }) => id)).size);
  }
});

test('every event is a step or impossible, once', () => {
  for (const { id, events, timeline } of vectors) {
    const known = [...new Set(events.map((event) => event.id))].toSorted();
    expect([...timeline.steps, ...timeline.impossible].toSorted(), id).toEqual(known);
  }
});

describe.each(Object.entries(mistakes))('the mistake %s', (flag, resolve) => {
  const flagged = vectors.filter(({ flags }) => flags.includes(flag));

  test('is detected by every case with its flag', () => {
    expect(flagged.length).toBeGreaterThan(0);
    const missed = flagged.filter((vector) => !detected(resolve, vector));
    expect(missed.map(({ id }) => id)).toEqual([]);
  });
});

test('every flag that is a mistake of the order has a program with the mistake', () => {
  expect(Object.keys(mistakes).toSorted()).toEqual(Object.keys(file.notes).toSorted());
});
