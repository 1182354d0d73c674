import type { RunEdge } from '@hookproof/receiver/order';

/** Milliseconds by which two clocks of the platform may differ. */
const SKEW = 250;
const TERMINAL: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'rejected']);

/** Returns the number of places in an order at which events are missing. */
export function gapsIn(order: readonly RunEdge[]): number {
  let status: string | null = null;
  let gaps = 0;
  for (const edge of order) {
    if (edge.previousStatus !== status) gaps += 1;
    status = edge.currentStatus;
  }
  return gaps;
}

/** Returns true when no two events are in an order that clocks within the skew rule out. */
export function isPermitted(order: readonly RunEdge[]): boolean {
  return order.every((edge, index) =>
    order
      .slice(index + 1)
      .every(
        (later) =>
          edge.previousStatus === null ||
          TERMINAL.has(later.currentStatus) ||
          timeOf(edge) <= timeOf(later) + SKEW,
      ),
  );
}

/** Tries every permitted order of a run, and returns up to two of those with the fewest gaps. */
export function bestOrders(edges: readonly RunEdge[]): readonly (readonly RunEdge[])[] {
  const first = edges.filter(({ previousStatus }) => previousStatus === null);
  const last = edges.filter(({ currentStatus }) => TERMINAL.has(currentStatus));
  const moves = edges.filter((edge) => !first.includes(edge) && !last.includes(edge));
  let best: (readonly RunEdge[])[] = [];
  let fewest = Infinity;
  const extend = (order: readonly RunEdge[], rest: readonly RunEdge[]): void => {
    if (rest.length === 0) {
      const complete = [...first, ...order, ...last];
      const gaps = gapsIn(complete);
      if (gaps < fewest) best = [];
      fewest = Math.min(fewest, gaps);
      if (gaps === fewest && best.length < 2) best.push(complete);
      return;
    }
    const latest = Math.min(...rest.map(timeOf)) + SKEW;
    for (const edge of rest.filter((other) => timeOf(other) <= latest)) {
      extend(
        [...order, edge],
        rest.filter((other) => other !== edge),
      );
    }
  };
  extend([], moves);
  return best;
}

/** With six digits of the second, in milliseconds. */
function timeOf({ createdAt }: RunEdge): number {
  return Date.parse(createdAt) + Number(createdAt.slice(23, 26)) / 1_000;
}
