import { runTimeline } from '@hookproof/receiver/testing';
import type { RunEvent } from '@hookproof/receiver';

const STATUSES = ['created', 'pending', 'running', 'finalizing', 'completed'] as const;
const RUNS = 6;
const REPEATED = 0.1;

/** Number of events of a run. */
export const RUN_LENGTH: number = STATUSES.length;

/** Number of different events in a window. */
export const WINDOW_EVENTS: number = RUNS * RUN_LENGTH;

/** Returns numbers from 0 to 1 that depend on the seed only. */
export function randomNumbers(seed: number): () => number {
  let state = (seed * 2_654_435_769) >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns the deliveries of some runs: every event, some of them twice, in no order. */
export function deliveriesOf(seed: number, window: number): readonly RunEvent[] {
  const random = randomNumbers(seed * 1_000_003 + window);
  const events = Array.from({ length: RUNS }, (_, index) =>
    runTimeline(STATUSES, { run: { id: `exec_${window}_${index}` } }),
  ).flat();
  const repeated = events.filter(() => random() < REPEATED);
  return [...events, ...repeated]
    .map((event) => ({ event, place: random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ event }) => event);
}

export interface Place {
  readonly window: number;
  readonly runId: string;
  /** From 1 to the length of the run. */
  readonly place: number;
}

export function placeOf(eventId: string): Place {
  const [, runId = '', window = '', place = ''] =
    /^whev_(exec_(\d+)_\d+)_(\d+)$/.exec(eventId) ?? [];
  return { window: Number(window), runId, place: Number(place) };
}
