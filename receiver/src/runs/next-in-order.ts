import type { PendingEvent } from '../worker/leased-events.ts';
import { whenReady } from '../worker/next-event.ts';
import type { Moment, NextEvent } from '../worker/next-event.ts';
import type { FirstOpen } from './run.ts';

/** `live`: each event at once. `ordered`: in order, with a limited wait for missing events. */
export type Mode = 'live' | 'ordered';

export interface OrderSettings {
  readonly mode: Mode;
  /** How long an event waits for missing earlier events. */
  readonly gapGraceMilliseconds: number;
  /** How long an event waits where a round trip can be missing without a gap. */
  readonly roundTripGraceMilliseconds: number;
}

/**
 * Decides in `ordered` mode: the first open event is next, after its grace. A failed event holds up
 * the rest of its run.
 */
export function nextInOrder(
  first: FirstOpen | null,
  open: ReadonlyMap<string, PendingEvent>,
  settings: OrderSettings,
  moment: Moment,
): NextEvent {
  const event = first === null ? undefined : open.get(first.id);
  if (first === null || event === undefined) return { do: 'wait', until: null };
  return whenReady(event, event.acceptedAt + grace(first.waitsFor, settings), moment);
}

/** Returns how long after its acceptance the first open event waits for others. */
function grace(waitsFor: FirstOpen['waitsFor'], settings: OrderSettings): number {
  if (waitsFor === 'gap') return settings.gapGraceMilliseconds;
  return waitsFor === 'round-trip' ? settings.roundTripGraceMilliseconds : 0;
}
