import { resolveTimeline } from '@hookproof/receiver/order';
import type { RunEdge } from '@hookproof/receiver/order';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { bestOrders, gapsOf } from './every-order.ts';
import { randomRun, shuffle } from './random-run.ts';

const ids = (edges: readonly RunEdge[]) => edges.map((edge) => edge.id);

const exact = { waits: [0, 0, 1_000, 20_000] };
const quick = { waits: [0, 1, 90, 140, 300], maxMoves: 7 };
const skewed = { waits: [0, 5, 40, 120, 2_000], clockError: 60, maxMoves: 7 };
const shapes = [
  ['correct clocks', exact],
  ['quick moves', quick],
  ['clocks that differ', skewed],
] as const;

const statuses = fc.constantFrom('pending', 'running', 'waiting', 'completed', 'failed');

/** Events that no single run can have: several creations and ends, and moves between any two statuses. */
const contradictoryEdges = fc
  .array(
    fc.record({
      previousStatus: fc.option(statuses, { freq: 6 }),
      currentStatus: statuses,
      milliseconds: fc.constantFrom(0, 0, 1, 100, 200, 300, 400, 500, 700, 1_000),
    }),
    { maxLength: 12 },
  )
  .map((drawn) =>
    drawn.map(({ milliseconds, ...statusesOf }, index): RunEdge => ({
      ...statusesOf,
      id: `whev_${index}`,
      createdAt: new Date(milliseconds).toISOString(),
    })),
  );

/**
 * Defines the tests of the laws.
 *
 * @param share - the part of the drawn runs, above 0 and at most 1
 */
export function timelineLaws(share: number): void {
  describe.each(shapes)('runs with %s', (_, shape) => {
    it('have one timeline for a set of events, whatever the order of arrival', () => {
      fc.assert(
        fc.property(randomRun(shape), ({ known, shuffled }) => {
          const timeline = resolveTimeline(known);
          expect(resolveTimeline([...shuffled, ...known.slice(0, 2)])).toStrictEqual(timeline);
          expect(ids(timeline.steps).toSorted()).toEqual(ids(known).toSorted());
          expect(timeline.impossible).toEqual([]);
          expect(timeline.gaps).toHaveLength(gapsOf(timeline.steps));
        }),
        { numRuns: 4_000 * share, seed: 20260701 },
      );
    });
  });

  it('contradictory runs have one timeline too', () => {
    fc.assert(
      fc.property(contradictoryEdges, fc.nat(), (edges, seed) => {
        expect(resolveTimeline(shuffle(edges, seed))).toStrictEqual(resolveTimeline(edges));
      }),
      { numRuns: 5_000 * share, seed: 20260706 },
    );
  });

  describe.each([
    ['correct clocks', { ...exact, maxMoves: 8 }],
    ['quick moves', quick],
    ['clocks that differ', skewed],
  ] as const)('of all orders, runs with %s', (_, shape) => {
    it('have the one with the fewest gaps, and are ambiguous when it is not the only one', () => {
      fc.assert(
        fc.property(randomRun(shape), ({ known }) => {
          const timeline = resolveTimeline(known);
          const { gaps, orders } = bestOrders(known);
          expect(timeline.gaps).toHaveLength(gaps);
          if (orders.length > 1) expect(timeline.isAmbiguous).toBe(true);
          if (!timeline.isAmbiguous) expect(ids(timeline.steps)).toEqual(orders[0]);
        }),
        { numRuns: 3_000 * share, seed: 20260703 },
      );
    });
  });

  it('runs whose chain alone has one order have it, when their clocks differ by up to 120 ms', () => {
    fc.assert(
      fc.property(randomRun(skewed), ({ edges, shuffled }) => {
        fc.pre(shuffled.length === edges.length && bestOrders(edges, Infinity).orders.length === 1);
        const timeline = resolveTimeline(shuffled);
        expect(ids(timeline.steps)).toEqual(ids(edges));
        expect(timeline).toMatchObject({ isUnbroken: true, impossible: [] });
      }),
      { numRuns: 3_000 * share, seed: 20260704 },
    );
  });

  it('runs whose events differ by less than a millisecond are in the order of all digits', () => {
    const digits = fc.uniqueArray(fc.stringMatching(/^\d{1,12}[1-9]$/), {
      minLength: 2,
      maxLength: 9,
    });
    fc.assert(
      fc.property(digits, fc.nat(), (fractions, seed) => {
        const ordered = fractions.toSorted();
        const edges = ordered.map((fraction, index): RunEdge => {
          const [from, to] = index % 2 === 0 ? ['running', 'waiting'] : ['waiting', 'running'];
          const createdAt = `2026-07-01T12:00:00.000${fraction}Z`;
          return {
            id: `whev_${index}`,
            previousStatus: from ?? '',
            currentStatus: to ?? '',
            createdAt,
          };
        });
        const creation = {
          ...edges[0]!,
          id: 'whev_c',
          previousStatus: null,
          currentStatus: 'running',
        };
        const known = [creation, ...edges];
        expect(resolveTimeline(shuffle(known, seed)).steps).toEqual(known);
      }),
      { numRuns: 2_000 * share, seed: 20260705 },
    );
  });

  it('a long run of events with gaps is resolved at once', () => {
    const edges = Array.from({ length: 200_000 * share }, (_, index): RunEdge => {
      const [from, to] = index % 3 === 0 ? ['running', 'waiting'] : ['waiting', 'running'];
      const createdAt = new Date(index * 400).toISOString();
      return {
        id: `whev_${index}`,
        previousStatus: from ?? '',
        currentStatus: to ?? '',
        createdAt,
      };
    });
    expect(resolveTimeline(edges).steps).toHaveLength(edges.length);
  });
}
