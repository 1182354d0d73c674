import { resolveTimeline } from '../order/resolve-timeline.ts';
import type { RunEdge } from '../order/timeline.ts';
import type { Walk } from '../worker/source-work.ts';

/** Writes what stores keep of an event of a run beside their columns. */
export function edgeFacts({ previousStatus, currentStatus, createdAt }: RunEdge): string {
  return JSON.stringify({ previousStatus, currentStatus, createdAt });
}

/** How the events of a run lead from status to status. */
export const RUN_WALK: Walk = {
  edgeFrom(id, facts) {
    if (facts === null) return null;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `edgeFacts` or another source wrote it
    const edge = JSON.parse(facts) as Omit<RunEdge, 'id'> | { readonly createdAt: string };
    return 'currentStatus' in edge ? { id, ...edge } : null;
  },
  resolve: resolveTimeline,
};
