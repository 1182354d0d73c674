import type { Entry, Next } from './entry.ts';
import { orderEdges } from './order-edges.ts';
import { markInterchangeable } from './other-walks.ts';

/** The moves of a run in their order, and what the order shows. */
export interface OrderedMoves {
  readonly order: readonly Entry[];
  /** True when events are missing between the last move and the event after it. */
  readonly hasGapAtEnd: boolean;
  /** Number of places at which another order is as good. */
  readonly ambiguities: number;
}

/** Orders moves, which are sorted by time, from status `start` to an event that leaves `next`. */
export function orderMoves(
  sorted: readonly Entry[],
  start: string | null,
  next: Next,
): OrderedMoves {
  const order = orderEdges(sorted, start, next);
  let status = start;
  for (const entry of order) {
    entry.hasGap = entry.edge.previousStatus !== status;
    status = entry.edge.currentStatus;
  }
  markInterchangeable(order);
  const hasGapAtEnd = next !== undefined && next !== status;
  return {
    order,
    hasGapAtEnd,
    ambiguities: order.filter((entry) => entry.isContested || entry.isInterchangeable).length,
  };
}
