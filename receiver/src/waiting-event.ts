import type { WaitingEvent, WaitReason } from './processing.ts';
import type { StoredOpenEvent } from './stores/store.ts';
import type { Pauses } from './worker/pauses.ts';

type Paused = Pick<Pauses, 'isEverything' | 'has'>;

/** Returns an open event with the reason why it waits. */
export function waitingEvent(event: StoredOpenEvent, pauses: Paused): WaitingEvent {
  return { ...event, why: waitReason(event, pauses) };
}

function waitReason(
  { edge, attempts, leasedFor, dueIn }: StoredOpenEvent,
  pauses: Paused,
): WaitReason {
  if (leasedFor !== null) return 'in_hand';
  if (pauses.isEverything || pauses.has(edge?.currentStatus ?? null)) return 'paused';
  if (dueIn === 0) return 'due';
  return attempts > 0 && dueIn !== null ? 'retry' : 'order';
}
