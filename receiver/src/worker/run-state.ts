import { NO_EVENTS } from '../order/run-order.ts';
import type { RunOrder } from '../order/run-order.ts';

/** What a store keeps of a run between two leases, as a text. */
export interface RunState {
  readonly order: RunOrder;
  /** The last place among moves that were handled or became dead letters. */
  readonly closedTo: string | null;
  /** The last place among moves that were handled. */
  readonly settledTo: string | null;
  /** What became of the end of the run. */
  readonly end: 'open' | 'settled' | 'dead';
}

const NEW_RUN: RunState = { order: NO_EVENTS, closedTo: null, settledTo: null, end: 'open' };

export function readRunState(text: string | null): RunState {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `writeRunState` writes it
  return text === null ? NEW_RUN : (JSON.parse(text) as RunState);
}

export function writeRunState(state: RunState): string {
  return JSON.stringify(state);
}

/** Returns the later one of two places. */
export function later(left: string | null, right: string): string {
  return left === null || left < right ? right : left;
}
