import { resolveTimeline } from '@hookproof/receiver/order';
import type { RunEdge } from '@hookproof/receiver/order';
import { describe, expect, it } from 'vitest';

import { runEdges } from './random-run.ts';

const statuses = (edges: readonly RunEdge[]) => edges.map((edge) => edge.currentStatus);
const ids = (edges: readonly RunEdge[]) => edges.map((edge) => edge.id);

describe('resolveTimeline', () => {
  it('orders a shuffled run and finds it unbroken', () => {
    const [created, queued, started, done] = runEdges('created@0 pending@1 running@2 completed@3');
    const timeline = resolveTimeline([done, started, created, queued].filter((edge) => !!edge));
    expect(statuses(timeline.steps)).toEqual(['created', 'pending', 'running', 'completed']);
    expect(timeline).toMatchObject({ status: 'completed', isTerminal: true, isUnbroken: true });
  });

  it('orders simultaneous events by the chain, cycles included', () => {
    const edges = runEdges('pending@0 running@0 waiting@0 running@0 waiting@0 running@0 failed@0');
    const timeline = resolveTimeline(edges.toReversed());
    expect(statuses(timeline.steps)).toEqual(statuses(edges));
    expect(timeline.gaps).toEqual([]);
  });

  it('names each gap by the statuses around it', () => {
    const edges = runEdges('created@0 pending@1 running@2 waiting@3 running@4 completed@5');
    const known = edges.filter((_, index) => index !== 0 && index !== 3);
    expect(resolveTimeline(known).gaps).toEqual([
      { after: null, before: 'created', index: 0 },
      { after: 'running', before: 'waiting', index: 2 },
    ]);
    expect(resolveTimeline(known).isUnbroken).toBe(false);
  });

  it('puts the terminal status last among simultaneous events', () => {
    const edges = runEdges('running@0 waiting@5 running@5 finalizing@5 cancelled@5');
    const known = edges.filter((_, index) => index !== 2);
    expect(resolveTimeline(known).steps.at(-1)?.currentStatus).toBe('cancelled');
    expect(resolveTimeline(known).gaps).toEqual([
      { after: 'waiting', before: 'running', index: 2 },
    ]);
  });

  it('latches on the first terminal status', () => {
    const edges = runEdges('running@0 completed@3');
    const afterwards: RunEdge[] = [
      { ...edges[0]!, id: 'again', previousStatus: 'completed', currentStatus: 'running' },
      {
        ...edges[1]!,
        id: 'other',
        currentStatus: 'failed',
        createdAt: new Date(9000).toISOString(),
      },
    ];
    const timeline = resolveTimeline([...afterwards, ...edges]);
    expect(ids(timeline.impossible).toSorted()).toEqual(['again', 'other']);
    expect(timeline).toMatchObject({ status: 'completed', isUnbroken: true });
  });

  it('puts what follows the first terminal status under impossible, terminal or not', () => {
    const edges = runEdges('running@0 completed@3');
    const later = runEdges('running@0 waiting@4')[1]!;
    const timeline = resolveTimeline([...edges, { ...later, id: 'later' }]);
    expect(ids(timeline.impossible)).toEqual(['later']);
  });

  it.each([
    ['known', 'running', 'waiting'],
    ['unknown', 'archived', 'restored'],
  ])('puts the latest of unconnected simultaneous moves last: %s statuses', (_, early, late) => {
    const createdAt = new Date(5000).toISOString();
    const first = { id: 'z', previousStatus: 'created', currentStatus: early, createdAt };
    const last = { id: 'a', previousStatus: 'pending', currentStatus: late, createdAt };
    expect(ids(resolveTimeline([last, first]).steps)).toEqual(['z', 'a']);
  });

  it('includes a round trip that is not connected to the other moves of its moment', () => {
    const edges = runEdges('created@0 pending@5 running@5 waiting@5 running@5');
    const timeline = resolveTimeline(edges.filter((_, index) => index !== 2));
    expect(statuses(timeline.steps)).toEqual(['created', 'pending', 'running', 'waiting']);
    expect(timeline.gaps).toEqual([{ after: 'pending', before: 'waiting', index: 2 }]);
  });

  it('puts a move to the same status under impossible', () => {
    const [created, stay] = runEdges('running@0 running@1');
    expect(ids(resolveTimeline([created!, stay!]).impossible)).toEqual([stay!.id]);
  });

  it.each([
    [
      'with equal gaps, the usual order of statuses',
      'pending>running@0 finalizing>running@0',
      [0, 1],
    ],
    [
      'with equal gaps over two moments, the usual order of statuses',
      'created>pending@0 created>waiting@1 finalizing>created@0',
      [2, 0, 1],
    ],
    [
      'moves that begin by themselves before moves that they do not lead to',
      'finalizing>created@0 running>pending@0 created>finalizing@0',
      [1, 0, 2],
    ],
    [
      'a round trip beside the other moves of its moment',
      'running>pending@0 running>completed@0 created>finalizing@0 running>completed@1 finalizing>created@0',
      [0, 4, 2, 1],
    ],
    [
      'a terminal status at the end of its moment, at the cost of a gap',
      'pending>failed@1 created>finalizing@1 running>pending@0 pending>running@0 running>failed@1',
      [2, 3, 1, 0],
    ],
  ])('orders unconnected moves: %s', (_, words, order) => {
    const moves = words.split(' ').map((word, index) => {
      const [, previousStatus = '', currentStatus = '', time] = /(\w+)>(\w+)@(\d)/.exec(word) ?? [];
      const createdAt = new Date(Number(time) * 1000).toISOString();
      return { id: String(index), previousStatus, currentStatus, createdAt };
    });
    expect(ids(resolveTimeline(moves).steps)).toEqual(order.map(String));
  });

  it('puts the creation first for any createdAt, and a second creation under impossible', () => {
    const edges = runEdges('pending@7 running@3');
    const second: RunEdge = { ...edges[0]!, id: 'second', createdAt: new Date(9000).toISOString() };
    const timeline = resolveTimeline([second, ...edges.toReversed()]);
    expect(statuses(timeline.steps)).toEqual(['pending', 'running']);
    expect(ids(timeline.impossible)).toEqual(['second']);
  });

  it('counts an id once and keeps unknown statuses', () => {
    const edges = runEdges('pending@0 archived@1 restored@2');
    const timeline = resolveTimeline([...edges, ...edges]);
    expect(statuses(timeline.steps)).toEqual(['pending', 'archived', 'restored']);
    expect(timeline.isTerminal).toBe(false);
  });

  it('returns an empty timeline for no events, and refuses an invalid createdAt', () => {
    expect(resolveTimeline([])).toMatchObject({ steps: [], status: null, isUnbroken: false });
    const edge = { id: 'whev_1', previousStatus: 'a', currentStatus: 'b', createdAt: 'yesterday' };
    expect(() => resolveTimeline([edge])).toThrow(
      new TypeError('createdAt of event "whev_1" must be an ISO 8601 time, got "yesterday".'),
    );
  });
});
