import { CLOCK_SKEW_MILLISECONDS } from './entry.ts';
import type { Entry } from './entry.ts';

/**
 * Sets `isInterchangeable` of the entries of an order.
 *
 * A walk that visits x … y … x … y has two paths from x to y, and is as good when they change
 * places. Three visits of one status are such a walk too. A walk without gaps and without either is
 * the only one of its events (Pevzner). The clocks permit the exchange when all events between the
 * first and the last of the visits are within their skew.
 */
export function markInterchangeable(order: readonly Entry[]): void {
  for (const [index, entry] of order.entries()) {
    entry.isInterchangeable = endsExchange(order, index, entry);
  }
}

/**
 * Looks back from a visit of y for an earlier visit of y, and before that for what lies between the
 * two.
 */
function endsExchange(order: readonly Entry[], last: number, entry: Entry): boolean {
  const earliest = entry.milliseconds - CLOCK_SKEW_MILLISECONDS;
  const status = entry.edge.currentStatus;
  const between: (string | null)[] = [];
  let hasReturned = false;
  for (let index = last; index >= 0; index -= 1) {
    const earlier = order[index];
    if (earlier === undefined || earlier.milliseconds < earliest) return false;
    const visited = earlier.edge.previousStatus;
    if (hasReturned && (visited === status || between.includes(visited))) return true;
    if (visited === status) hasReturned = true;
    else if (!hasReturned) between.push(visited);
    if (earlier.hasGap) return false;
  }
  return false;
}
