import { TERMINAL_RUN_STATUSES } from '../generated/constants.ts';
import type { RunStatus } from '../generated/run-events.ts';

import type { RunReading } from '../fetch-run/fetched-run.ts';
import type { Timeline } from '../order/timeline.ts';
import type { HandlingContext, SettledRun } from './handlers.ts';

/** Returns whether the order of an event about to be handled is proven, and what is missing before it. */
export function orderOf(
  id: string,
  timeline: Timeline,
  isUnsettled: (id: string) => boolean,
): Pick<HandlingContext, 'order' | 'missing'> {
  const place = timeline.steps.findIndex((step) => step.id === id);
  if (place < 0) return { order: 'unproven', missing: timeline.gaps };
  const missing = timeline.gaps.filter(({ index }) => index <= place);
  const isInTurn = timeline.steps.every((step, index) =>
    index < place ? !isUnsettled(step.id) : isUnsettled(step.id),
  );
  return { order: missing.length === 0 && isInTurn ? 'proven' : 'unproven', missing };
}

/** What is proven about the end of a run. */
export type End =
  | { readonly proven: 'yes'; readonly end: Pick<SettledRun, 'status' | 'provenBy'> }
  | { readonly proven: 'no' }
  /** The run has another status than its events lead to. */
  | { readonly proven: 'contradicted'; readonly snapshotStatus: RunStatus | null };

/**
 * Returns whether a run has ended as its events say. A chain of events without a gap proves it. Where
 * the chain has gaps, a snapshot of the run in the same terminal status proves it, because a run never
 * leaves such a status. A snapshot does not show which events are missing.
 */
export function proveEnd(timeline: Timeline, snapshot: RunReading | null): End {
  const status = TERMINAL_RUN_STATUSES.find((terminal) => terminal === timeline.status);
  if (status === undefined) return { proven: 'no' };
  if (timeline.isUnbroken) return { proven: 'yes', end: { status, provenBy: 'events' } };
  if (snapshot === null) return { proven: 'no' };
  return snapshot.status === status
    ? { proven: 'yes', end: { status, provenBy: 'snapshot' } }
    : { proven: 'contradicted', snapshotStatus: snapshot.status };
}
