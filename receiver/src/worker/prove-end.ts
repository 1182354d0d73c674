import { TERMINAL_RUN_STATUSES } from '@hookproof/spec';
import type { RunSnapshot } from '@hookproof/spec';

import type { SettledRun } from '../handlers.ts';
import type { Timeline } from '../order/resolve-timeline.ts';

/** What is proven about the end of a run. */
export type End =
  | { readonly proven: 'yes'; readonly end: Pick<SettledRun, 'status' | 'provenBy'> }
  | { readonly proven: 'no' }
  /** The run itself is in another status than its events lead to. */
  | { readonly proven: 'contradicted'; readonly snapshotStatus: string };

/**
 * Whether a run has ended as its events say. A whole chain of events proves it. Where the chain has
 * gaps, a snapshot of the run in the same terminal status does: a run never leaves such a status. Nothing
 * else can be had from a snapshot, least of all which events are missing.
 */
export function proveEnd(timeline: Timeline, snapshot: RunSnapshot | null): End {
  const status = TERMINAL_RUN_STATUSES.find((terminal) => terminal === timeline.status);
  if (status === undefined) return { proven: 'no' };
  if (timeline.isUnbroken) return { proven: 'yes', end: { status, provenBy: 'events' } };
  if (snapshot === null) return { proven: 'no' };
  return snapshot.status === status
    ? { proven: 'yes', end: { status, provenBy: 'snapshot' } }
    : { proven: 'contradicted', snapshotStatus: snapshot.status };
}
