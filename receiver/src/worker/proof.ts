import { TERMINAL_RUN_STATUSES } from '../generated/constants.ts';
import type { RunStatus } from '../generated/run-events.ts';

import type { RunReading } from '../fetch-run/fetched-run.ts';
import type { Timeline } from '../order/timeline.ts';
import type { HandlingContext, SettledRun } from './handlers.ts';
import type { Progress } from './progress.ts';

/**
 * Returns what is known about the order of an event about to be handled, and what is missing before it.
 *
 * The contract does not show which moves a run can make. Between entering a status and leaving it, a
 * run may therefore have left it and returned, and the chain of the other events is closed without
 * these moves. So no chain proves that an event is in its turn. Two facts do: no event of a run is
 * before its creation, and none is after it ended. The second does not help here, because an event
 * that ends a run leaves a status as well. An event or a snapshot in a status does not help either: it
 * shows where a run is and not how often it was there.
 */
export function orderOf(
  id: string,
  progress: Progress,
): Pick<HandlingContext, 'order' | 'missing'> {
  const { timeline } = progress;
  const place = progress.placeOf(id);
  if (place < 0) return { order: 'unproven', missing: timeline.gaps };
  const missing = timeline.gaps.filter(({ index }) => index <= place);
  if (missing.length > 0 || !progress.isInTurn(place)) return { order: 'unproven', missing };
  if (place === 0 && hasOneCreation(timeline)) return { order: 'proven', missing };
  return { order: timeline.isAmbiguous ? 'unproven' : 'assumed', missing };
}

/** Returns true when exactly one event, which is then the first step, created the run. */
function hasOneCreation({ steps, impossible }: Timeline): boolean {
  return [...steps, ...impossible].filter((edge) => edge.previousStatus === null).length === 1;
}

/** What is proven about the end of a run. */
export type End =
  | { readonly proven: 'yes'; readonly end: Pick<SettledRun, 'status' | 'provenBy'> }
  | { readonly proven: 'no' }
  /** The run has another status than its events lead to. */
  | { readonly proven: 'contradicted'; readonly snapshotStatus: RunStatus | null };

/**
 * Returns whether a run has ended as its events say. A chain of events without a gap shows it, as far
 * as the events are known: round trips can be missing (see `orderOf`). Only a run that was created in a
 * terminal status has no place for another event. Where the chain has gaps, a snapshot of the run in
 * the same terminal status proves the end, because a run never leaves such a status. A snapshot does
 * not show which events are missing.
 */
export function proveEnd(timeline: Timeline, snapshot: RunReading | null): End {
  const status = TERMINAL_RUN_STATUSES.find((terminal) => terminal === timeline.status);
  if (status === undefined) return { proven: 'no' };
  if (timeline.isUnbroken) {
    const isWhole = timeline.steps.length === 1 && timeline.impossible.length === 0;
    return { proven: 'yes', end: { status, provenBy: isWhole ? 'events' : 'events-as-known' } };
  }
  if (snapshot === null) return { proven: 'no' };
  return snapshot.status === status
    ? { proven: 'yes', end: { status, provenBy: 'snapshot' } }
    : { proven: 'contradicted', snapshotStatus: snapshot.status };
}
