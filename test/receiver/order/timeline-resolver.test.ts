import {
  classifyArrival,
  createTimelineResolver,
  resolveTimeline,
} from '@hookproof/receiver/order';
import type { RunEdge } from '@hookproof/receiver/order';
import { describe, expect, it } from 'vitest';

import { runEdges } from './random-run.ts';

const ids = (edges: readonly RunEdge[]) => edges.map((edge) => edge.id);

describe('createTimelineResolver', () => {
  const edges = runEdges('created@0 pending@1 running@2 waiting@3 running@4 completed@5');

  it('classifies each event by those before it, as classifyArrival does', () => {
    for (const order of [edges, edges.toReversed(), [...edges.slice(3), ...edges.slice(0, 3)]]) {
      const resolver = createTimelineResolver();
      for (const [index, edge] of order.entries()) {
        expect(resolver.add(edge)).toBe(classifyArrival(order.slice(0, index), edge));
      }
    }
  });

  it('ignores an id that it has, and returns its arrival again', () => {
    const resolver = createTimelineResolver();
    const arrivals = edges.toReversed().map((edge) => resolver.add(edge));
    expect(arrivals).toEqual([
      'applied',
      'fills-gap',
      'fills-gap',
      'fills-gap',
      'fills-gap',
      'fills-gap',
    ]);
    const timeline = resolver.timeline();
    expect(edges.toReversed().map((edge) => resolver.add({ ...edge, createdAt: 'x' }))).toEqual(
      arrivals,
    );
    expect(resolver.timeline()).toStrictEqual(timeline);
  });

  it('is unchanged by an event that it refuses', () => {
    const resolver = createTimelineResolver();
    resolver.add(edges[0]!);
    expect(() => resolver.add({ ...edges[1]!, createdAt: 'soon' })).toThrow(TypeError);
    expect(resolver.timeline()).toStrictEqual(resolveTimeline(edges.slice(0, 1)));
    expect(resolver.add(edges[1]!)).toBe('applied');
  });

  it('reconsiders the creation and the end when older ones arrive', () => {
    const resolver = createTimelineResolver();
    const [created, ...others] = edges;
    const late = { ...created!, id: 'late', createdAt: edges[1]!.createdAt };
    const done = edges[5]!;
    const later = { ...done, id: 'later', createdAt: new Date(9_000).toISOString() };
    expect([late, later, ...others, created!].map((edge) => resolver.add(edge))).toEqual([
      'applied',
      'applied',
      'fills-gap',
      'fills-gap',
      'late',
      'fills-gap',
      'applied',
      'late',
    ]);
    expect(resolver.timeline().steps).toEqual(edges);
    expect(ids(resolver.timeline().impossible)).toEqual(['late', 'later']);
  });
});
