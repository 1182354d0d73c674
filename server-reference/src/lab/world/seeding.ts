import type { State } from '../../platform/state/state.ts';
import { nextId } from '../../platform/store/seed.ts';

/** What everything that fills a world works with. */
export interface Seeding {
  readonly state: State;
  /** Draws the next id; see {@link nextId}. */
  id(prefix: string): string;
  /** The moment so many hours before the world was made, as an ISO string. */
  hoursAgo(hours: number): string;
}

export function startSeeding(state: State, now: number): Seeding {
  return {
    state,
    id: (prefix) => nextId(state, prefix),
    hoursAgo: (hours) => new Date(now - hours * 3_600_000).toISOString(),
  };
}
