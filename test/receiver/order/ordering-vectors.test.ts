import { resolveTimeline } from '@hookproof/receiver/order';
import type { RunEdge, Timeline } from '@hookproof/receiver/order';
import { loadOrderingVectors } from '@hookproof/spec/vectors';
import { describe, expect, test } from 'vitest';

import { shuffle } from './random-run.ts';

const vectors = loadOrderingVectors().groups.flatMap((group) => group.vectors);

const ids = (edges: readonly RunEdge[]) => edges.map(({ id }) => id);

function withIds({ steps, impossible, ...timeline }: Timeline) {
  return { ...timeline, steps: ids(steps), impossible: ids(impossible) };
}

describe.each(vectors)('$id', ({ events, timeline }) => {
  test('has its timeline in every order of arrival', () => {
    const orders = [events, events.toReversed(), shuffle(events, 1), shuffle(events, 2)];
    for (const order of orders) {
      expect(withIds(resolveTimeline(order))).toEqual(timeline);
    }
  });
});
