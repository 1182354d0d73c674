import { resolveTimeline } from '@hookproof/receiver/order';
import type { RunEdge } from '@hookproof/receiver/order';
import { describe, expect, it } from 'vitest';

import { movesOf } from './random-run.ts';

const ids = (edges: readonly RunEdge[]) => edges.map((edge) => edge.id);

describe('clocks that differ', () => {
  it.each([
    [
      'two moves',
      '>pending@0 running>finalizing@20 pending>running@30 finalizing>completed@90',
      '0213',
    ],
    [
      'a move slightly later than the end',
      '>pending@0 running>completed@20 pending>running@30',
      '021',
    ],
    [
      'all moves of a whole run',
      '>created@9 finalizing>failed@0 running>finalizing@10 pending>running@20 created>pending@30',
      '04321',
    ],
    [
      'a round trip of which all times are wrong',
      '>pending@0 running>completed@40 waiting>running@50 pending>running@30 running>waiting@20',
      '03421',
    ],
    ['the skew exactly', '>pending@0 running>finalizing@1000 pending>running@1250', '021'],
  ])('yields to the chain: %s', (_, words, order) => {
    const timeline = resolveTimeline(movesOf(words));
    expect(ids(timeline.steps).join('')).toBe(order);
    expect(timeline).toMatchObject({ isUnbroken: true, isAmbiguous: false, impossible: [] });
  });

  it('keeps the order of events that are further apart than clocks may differ', () => {
    const timeline = resolveTimeline(
      movesOf('>pending@0 running>finalizing@1000 pending>running@1251'),
    );
    expect(ids(timeline.steps)).toEqual(['0', '1', '2']);
    expect(timeline.gaps).toHaveLength(2);
  });

  it('puts a move under impossible that is later than the end by more than clocks may differ', () => {
    const timeline = resolveTimeline(movesOf('>pending@0 running>failed@20 pending>running@271'));
    expect(ids(timeline.impossible)).toEqual(['2']);
    expect(timeline.status).toBe('failed');
  });

  it('compares every digit of createdAt', () => {
    const words = '>running@0 running>waiting@5.001 waiting>running@5.0011 running>waiting@5.00111';
    const edges = movesOf(words);
    expect(ids(resolveTimeline(edges.toReversed()).steps)).toEqual(['0', '1', '2', '3']);
  });

  it('orders by the moment, not by its spelling', () => {
    const [created, started, ended] = movesOf('>pending@0 pending>running@0 running>failed@0');
    const edges = [
      { ...created!, createdAt: '2026-07-01T12:00:00Z' },
      { ...started!, createdAt: '2026-07-01T14:00:01.5+02:00' },
      { ...ended!, createdAt: '2026-07-01t12:01:00z' },
    ];
    const timeline = resolveTimeline(edges.toReversed());
    expect(ids(timeline.steps)).toEqual(['0', '1', '2']);
    expect(timeline.isUnbroken).toBe(true);
  });

  it.each([
    [
      'the same move twice within the skew',
      '>running@0 running>waiting@9 waiting>running@20 running>waiting@30',
      true,
    ],
    [
      'the same move twice beyond the skew',
      '>running@0 running>waiting@9 waiting>running@200 running>waiting@300',
      false,
    ],
    [
      'two round trips within the skew',
      '>running@0 running>waiting@9 waiting>running@50 running>pending@100 pending>running@120',
      true,
    ],
    [
      'two round trips beyond the skew',
      '>running@0 running>waiting@9 waiting>running@50 running>pending@100 pending>running@260',
      false,
    ],
    [
      'unconnected moves at the same time',
      '>created@0 waiting>running@900 pending>finalizing@900',
      true,
    ],
    [
      'unconnected moves beyond the skew',
      '>created@0 waiting>running@600 pending>finalizing@900',
      false,
    ],
    ['one missing move', '>created@0 pending>running@10 running>finalizing@20', false],
    [
      'a round trip against its times, as when its two ends are missing',
      '>running@0 waiting>running@10 running>waiting@20 running>failed@30',
      true,
    ],
    ['two ends at the same time', '>running@0 running>failed@9 running>cancelled@9', true],
    [
      'two ends, to one of which the chain leads',
      '>running@0 waiting>cancelled@9 running>failed@9',
      false,
    ],
  ])('knows whether another order is as good: %s', (_, words, isAmbiguous) => {
    expect(resolveTimeline(movesOf(words)).isAmbiguous).toBe(isAmbiguous);
  });
});
