import type { RunStatus } from '../generated/run-events.ts';

import type { RunReading } from '../fetch-run/fetched-run.ts';
import type { HandlingContext, SettledRun } from './handlers.ts';
import type { EventFacts, Run } from './run.ts';

/**
 * Returns what is known about the order of an event about to be handled.
 *
 * The contract does not show which moves a run can make. Between entering a status and leaving it,
 * a run may therefore have left it and returned, and the chain of the other events is closed
 * without these moves. So no chain proves that an event is in its turn. Two facts do: no event of a
 * run is before its creation, and none is after it ended. The second does not help here, because an
 * event that ends a run leaves a status as well. An event or a snapshot in a status does not help
 * either: it shows where a run is and not how often it was there.
 */
export function certaintyOf(
  { missing, isStep, isInTurn, isOnlyCreation }: EventFacts,
  { isAmbiguous, isWhole }: Pick<Run, 'isAmbiguous' | 'isWhole'>,
): HandlingContext['order'] {
  if (!isStep || !isInTurn || missing.length > 0 || !isWhole) return 'unproven';
  if (isOnlyCreation) return 'proven';
  return isAmbiguous ? 'unproven' : 'assumed';
}

/** What is proven about the end of a run. */
export type End =
  | { readonly proven: 'yes'; readonly end: Pick<SettledRun, 'status' | 'provenBy'> }
  | { readonly proven: 'no' }
  /** The run has another status than its events lead to. */
  | { readonly proven: 'contradicted'; readonly snapshotStatus: RunStatus | null };

/**
 * Returns whether a run has ended as its events say. A chain of events without a gap shows it, as
 * far as the events are known: round trips can be missing (see `certaintyOf`). Only a run that was
 * created in a terminal status has no place for another event. Where the chain has gaps, a snapshot
 * of the run in the same terminal status proves the end, because a run never leaves such a status.
 * A snapshot does not show which events are missing.
 */
export function proveEnd(
  { terminalStatus: status, gapCount, count, isWhole }: Run,
  snapshot: RunReading | null,
): End {
  if (status === null) return { proven: 'no' };
  if (gapCount === 0) {
    const isOnly = count === 1 && isWhole;
    return { proven: 'yes', end: { status, provenBy: isOnly ? 'events' : 'events-as-known' } };
  }
  if (snapshot === null) return { proven: 'no' };
  return snapshot.status === status
    ? { proven: 'yes', end: { status, provenBy: 'snapshot' } }
    : { proven: 'contradicted', snapshotStatus: snapshot.status };
}
