import { classifyArrival } from '@hookproof/receiver/order';
import type { RunEdge } from '@hookproof/receiver/order';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareEntries, entryOf } from '../../../receiver/src/order/entry.ts';
import { kindOf } from '../../../receiver/src/order/order-key.ts';
import { isBeforeEnd } from '../../../receiver/src/order/run-end.ts';
import {
  NO_EVENTS,
  orderOf,
  surroundingsOf,
  takeIn,
} from '../../../receiver/src/order/run-order.ts';
import type {
  AcceptedEdge,
  RunOrder,
  Surroundings,
  TakenIn,
} from '../../../receiver/src/order/run-order.ts';
import type { Moves } from '../../../receiver/src/order/window.ts';
import { randomArrivals } from './random-run.ts';

const shapes = [
  ['correct clocks', { waits: [0, 0, 1_000, 20_000] }],
  ['quick moves', { waits: [0, 1, 90, 140, 300] }],
  ['clocks that differ', { waits: [0, 5, 40, 120, 2_000], clockError: 60 }],
] as const;

/**
 * Defines the tests of the order that a store keeps: taken in event by event from a few moves around each, it
 * is the order of all events at once.
 *
 * @param runs - how many runs are drawn for each test
 */
export function runOrderLaws(runs: number): void {
  describe.each(shapes)('the order of a run with %s', (_, shape) => {
    it.each([
      ['', 14, false, runs],
      [' that is long', 120, false, Math.ceil(runs / 10)],
      [' with contradictions', 14, true, runs],
    ] as const)('%s does not depend on the arrival', (_name, maxMoves, contradictions, numRuns) => {
      const arrivals = randomArrivals({ ...shape, maxMoves }, contradictions);
      fc.assert(
        fc.property(arrivals, fc.integer({ min: 1, max: 8 }), (edges, firstLimit) => {
          const known: AcceptedEdge[] = [];
          let order = NO_EVENTS;
          for (const edge of edges) {
            const event = { edge, position: known.length + 1 };
            const arrival = classifyArrival(
              known.map((one) => one.edge),
              edge,
            );
            const taken = takenIn(order, event, known, firstLimit);
            known.push(event);
            order = taken?.order ?? orderOf(known);
            expect(order).toStrictEqual(orderOf(known));
            if (taken !== null) expect(taken.arrival).toBe(arrival);
          }
        }),
        { numRuns },
      );
    });
  });
}

/** Takes in an event from ever more moves around it; `null` when it depends on all events. */
function takenIn(
  order: RunOrder,
  event: AcceptedEdge,
  known: readonly AcceptedEdge[],
  firstLimit: number,
): TakenIn | null {
  const surroundings = surroundingsOf(order, event);
  if (surroundings === 'all') return null;
  for (let limit = firstLimit; ; limit *= 2) {
    const taken = takeIn(order, event, movesAround(order, event.edge, known, surroundings, limit));
    if (taken !== null) return taken;
  }
}

/** Returns up to `limit` moves before the end of the run on each side of a place. */
function movesAround(
  { end }: RunOrder,
  edge: RunEdge,
  known: readonly AcceptedEdge[],
  surroundings: Surroundings,
  limit: number,
): Moves {
  const entries = known.map((event) => entryOf(event.edge)).toSorted(compareEntries);
  const moves = entries.filter(
    (entry) =>
      kindOf(entry.edge) === 'move' && (end === null || isBeforeEnd(entry, entryOf(end.edge))),
  );
  const places = { none: 0, all: 0, first: 0, last: moves.length };
  const place =
    surroundings === 'move'
      ? moves.filter((entry) => compareEntries(entry, entryOf(edge)) < 0).length
      : places[surroundings];
  const [from, to] = [Math.max(place - limit, 0), place + limit];
  return {
    edges: moves.slice(from, to).map((entry) => entry.edge),
    hasMoreBefore: from > 0,
    hasMoreAfter: to < moves.length,
  };
}
