import { RUN_STATUSES, TERMINAL_RUN_STATUSES } from '../generated/constants.ts';
import type { RunEvent } from '../generated/run-events.ts';
import type { RunEdge } from './timeline.ts';

/**
 * Returns the edge that an event reports.
 *
 * @example
 * ```ts
 * import { edgeOf } from '@hookproof/receiver/order';
 * import { runStatusChangedEvent } from '@hookproof/receiver/testing';
 *
 * const { previousStatus, currentStatus } = edgeOf(runStatusChangedEvent());
 * console.log(previousStatus, currentStatus); // pending running
 * ```
 */
export function edgeOf(event: RunEvent): RunEdge {
  return {
    id: event.id,
    previousStatus: event.type === 'run.created' ? null : event.data.previousStatus,
    currentStatus: event.data.run.status,
    createdAt: event.createdAt,
  };
}

/** What an event of a run is by its own statuses. In this order they come in a history. */
export type EdgeKind = 'creation' | 'move' | 'end' | 'contradiction';

/** `contradiction`: an edge out of a terminal status, or to the same status. */
export function edgeKindOf({ previousStatus, currentStatus }: RunEdge): EdgeKind {
  if (previousStatus === null) return 'creation';
  if (isTerminal(previousStatus) || previousStatus === currentStatus) return 'contradiction';
  return isTerminal(currentStatus) ? 'end' : 'move';
}

const RANKS: ReadonlyMap<string, number> = new Map(
  RUN_STATUSES.map((status, index) => [status, index] as const),
);
const TERMINAL: ReadonlySet<string> = new Set(TERMINAL_RUN_STATUSES);

/** Returns true for the statuses that a run never leaves. Unknown statuses are not terminal. */
export function isTerminal(status: string | null): boolean {
  return status !== null && TERMINAL.has(status);
}

/**
 * Compares statuses by the usual order of a run: `null`, the known ones, then unknown ones by name.
 */
export function compareStatuses(left: string | null, right: string | null): number {
  const difference = rank(left) - rank(right);
  if (difference !== 0 || left === null || right === null) return difference;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function rank(status: string | null): number {
  return status === null ? -1 : (RANKS.get(status) ?? RANKS.size);
}
