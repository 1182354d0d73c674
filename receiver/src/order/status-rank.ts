import { RUN_STATUSES, TERMINAL_RUN_STATUSES } from '@hookproof/spec';

const RANKS: ReadonlyMap<string, number> = new Map(
  RUN_STATUSES.map((status, index) => [status, index] as const),
);
const TERMINAL: ReadonlySet<string> = new Set(TERMINAL_RUN_STATUSES);

/** True for the statuses that a run never leaves. A status that this release does not know is open. */
export function isTerminal(status: string | null): boolean {
  return status !== null && TERMINAL.has(status);
}

/** Orders statuses as a run usually meets them: before creation, the known ones, then the others by name. */
export function compareStatuses(left: string | null, right: string | null): number {
  const difference = rank(left) - rank(right);
  if (difference !== 0 || left === null || right === null) return difference;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function rank(status: string | null): number {
  return status === null ? -1 : (RANKS.get(status) ?? RANKS.size);
}
