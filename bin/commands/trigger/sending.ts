import type { AttemptRow } from '@hookproof/spec/control';

import type { WatchedAttempts } from '../../running/watch-attempts.ts';
import type { Target } from './target.ts';

/** How long an event that is left out is held back. */
export const A_DAY_MILLISECONDS = 86_400_000;
/** How long the next event waits for the first attempt of an app that does not respond. */
export const MAX_STEP_MILLISECONDS = 2_000;

/** A delivery that the command has caused. */
export interface OwnDelivery {
  readonly id: string;
  /** Whether it is held back until tomorrow. */
  readonly isHeld: boolean;
}

/** What the command sends with, and what it has sent. */
export interface Sending {
  readonly target: Target;
  readonly watched: WatchedAttempts;
  readonly deliveries: readonly OwnDelivery[];
  /** Adds new deliveries; known ones are ignored. */
  readonly sent: (deliveryIds: readonly string[], isHeld?: boolean) => void;
  /** Resolves when every delivery that is not held back has its first attempt, or after a time. */
  readonly firstAttempts: () => Promise<void>;
}

/** Starts to send with a target. */
export function startSending(target: Target, watched: WatchedAttempts): Sending {
  const deliveries: OwnDelivery[] = [];
  return {
    target,
    watched,
    deliveries,
    sent(deliveryIds, isHeld = false) {
      const known = new Set(deliveries.map(({ id }) => id));
      const added = deliveryIds.filter((id) => !known.has(id));
      deliveries.push(...added.map((id) => ({ id, isHeld })));
      watched.add(added);
    },
    async firstAttempts() {
      const areMade = (): boolean =>
        deliveries.every(({ id, isHeld }) => isHeld || watched.of(id).length > 0);
      await watched.until(areMade, MAX_STEP_MILLISECONDS);
    },
  };
}

/** Returns whether no further attempt follows. */
export function isSettled(attempts: readonly AttemptRow[]): boolean {
  const last = attempts.at(-1);
  return last !== undefined && last.deliveryStatus !== 'pending';
}
