import { compareStatuses } from './run-edge.ts';
import type { RunEdge } from './timeline.ts';

/** The edges of one moment as a graph of statuses. */
export interface Moment {
  readonly edges: readonly RunEdge[];
  /** Every status in an edge, the latest in the usual order of a run first. */
  readonly statuses: readonly (string | null)[];
  /** For each status, the number of edges that leave it minus the number that enter it. */
  readonly surplus: ReadonlyMap<string | null, number>;
  /** For each status, the status that represents its connected component. */
  readonly component: ReadonlyMap<string | null, string | null>;
}

export function momentOf(edges: readonly RunEdge[]): Moment {
  const surplus = new Map<string | null, number>();
  const parent = new Map<string | null, string | null>();
  for (const { previousStatus, currentStatus } of edges) {
    surplus.set(previousStatus, (surplus.get(previousStatus) ?? 0) + 1);
    surplus.set(currentStatus, (surplus.get(currentStatus) ?? 0) - 1);
    const from = root(parent, previousStatus);
    const to = root(parent, currentStatus);
    if (from !== to) parent.set(from, to);
  }
  const statuses = [...surplus.keys()].toSorted((left, right) => compareStatuses(right, left));
  const component = new Map(statuses.map((status) => [status, root(parent, status)] as const));
  return { edges, statuses, surplus, component };
}

function root(parent: Map<string | null, string | null>, status: string | null): string | null {
  let current = status;
  for (;;) {
    const next = parent.get(current);
    if (next === undefined) return current;
    const afterNext = parent.get(next);
    if (afterNext !== undefined) parent.set(current, afterNext);
    current = next;
  }
}

/** A connected component of the edges, with the missing edges of one walk through all of it. */
export interface Component {
  /** Statuses where a path begins, once for each missing edge into it. */
  readonly starts: (string | null)[];
  /** Statuses where a path ends, once for each missing edge out of it. */
  readonly ends: (string | null)[];
}

/**
 * Returns the components of a walk from `start` to `end` through all its edges. The walk needs
 * exactly one missing edge for each start (Euler). The component with both ends comes first.
 */
export function componentsBetween(
  moment: Moment,
  start: string | null,
  end: string | null,
): readonly Component[] {
  const startComponent = moment.component.get(start) ?? start;
  const endComponent = moment.component.get(end) ?? end;
  const components = new Map<string | null, Component>([[endComponent, { starts: [], ends: [] }]]);
  const statuses = moment.surplus.has(start) ? moment.statuses : [...moment.statuses, start];
  for (const status of statuses.toReversed()) {
    const own = moment.component.get(status) ?? status;
    const key = own === startComponent ? endComponent : own;
    const component = components.get(key) ?? { starts: [], ends: [] };
    components.set(key, component);
    const isStart = status === start ? 1 : 0;
    const isEnd = status === end ? 1 : 0;
    const missing = (moment.surplus.get(status) ?? 0) - isStart + isEnd;
    for (let count = 0; count < missing; count += 1) component.starts.push(status);
    for (let count = 0; count < -missing; count += 1) component.ends.push(status);
  }
  if (components.size > 1) joinClosedComponents(components, end);
  return [...components.values()];
}

/** A component that forms a closed round trip is entered and left at the same status. */
function joinClosedComponents(
  components: ReadonlyMap<string | null, Component>,
  end: string | null,
): void {
  let isFirst = true;
  for (const [status, component] of components) {
    if (component.starts.length === 0) {
      const through = isFirst ? end : status;
      component.starts.push(through);
      component.ends.push(through);
    }
    isFirst = false;
  }
}

/** Returns the fewest missing edges of a walk from `start` through all its edges to `end`. */
export function fewestMissing(moment: Moment, start: string | null, end: string | null): number {
  const [first, ...others] = moment.edges;
  if (others.length === 0) return first?.previousStatus === start ? 0 : 1;
  return componentsBetween(moment, start, end).reduce(
    (sum, component) => sum + component.starts.length,
    0,
  );
}
