import type { RunEdge } from '@hookproof/receiver/order';

const TERMINAL: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'rejected']);
/** Milliseconds by which clocks of the platform may differ. */
const SKEW = 250;

/** What trying every order of a run's events shows. Valid runs only: no impossible events. */
interface BestOrders {
  /** The fewest gaps of all orders that the clocks permit. */
  readonly gaps: number;
  /** The orders with this number of gaps, as lists of ids. At most two are kept. */
  readonly orders: readonly (readonly string[])[];
}

/** Tries every order: the creation first, the terminal event last, the others within the skew. */
export function bestOrders(edges: readonly RunEdge[], skew: number = SKEW): BestOrders {
  const first = edges.filter(({ previousStatus }) => previousStatus === null);
  const last = edges.filter(({ currentStatus }) => TERMINAL.has(currentStatus));
  const moves = edges.filter((edge) => !first.includes(edge) && !last.includes(edge));
  let best: BestOrders = { gaps: Infinity, orders: [] };
  for (const order of permitted(moves, skew)) {
    const steps = [...first, ...order, ...last];
    const gaps = gapsOf(steps);
    const ids = steps.map(({ id }) => id);
    if (gaps < best.gaps) best = { gaps, orders: [ids] };
    else if (gaps === best.gaps && best.orders.length < 2)
      best = { gaps, orders: [...best.orders, ids] };
  }
  return best;
}

function* permitted(edges: readonly RunEdge[], skew: number): Generator<readonly RunEdge[]> {
  if (edges.length === 0) yield [];
  const earliest = Math.min(...edges.map(timeOf));
  for (const edge of edges) {
    if (timeOf(edge) > earliest + skew) continue;
    // With correct clocks, time is compared to the last digit.
    if (skew === 0 && edges.some((other) => other.createdAt < edge.createdAt)) continue;
    for (const rest of permitted(
      edges.filter((other) => other !== edge),
      skew,
    )) {
      yield [edge, ...rest];
    }
  }
}

export function gapsOf(steps: readonly RunEdge[]): number {
  let status: string | null = null;
  let gaps = 0;
  for (const step of steps) {
    if (step.previousStatus !== status) gaps += 1;
    status = step.currentStatus;
  }
  return gaps;
}

export function timeOf({ createdAt }: RunEdge): number {
  return Date.parse(createdAt);
}
