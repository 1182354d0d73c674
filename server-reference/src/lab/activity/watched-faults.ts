import type { FaultRow } from '@hookproof/spec/control';

import type { ActivityFeed } from './feed.ts';

interface Fault {
  readonly id: string;
  readonly hits: number;
}

/** Publishes the faults of one kind that were injected, hit or removed. */
export class WatchedFaults {
  readonly #kind: FaultRow['kind'];
  readonly #feed: ActivityFeed;
  #hits: ReadonlyMap<string, number> = new Map();

  constructor(kind: FaultRow['kind'], feed: ActivityFeed) {
    this.#kind = kind;
    this.#feed = feed;
  }

  /** Call it after each change of the faults. */
  update(faults: readonly Fault[]): void {
    const before = this.#hits;
    this.#hits = new Map(faults.map(({ id, hits }) => [id, hits]));
    for (const [id, hits] of this.#hits) {
      if (before.get(id) === hits) continue;
      this.#feed.publish({ event: 'fault', data: { kind: this.#kind, id, hits } });
    }
    for (const id of before.keys()) {
      if (this.#hits.has(id)) continue;
      this.#feed.publish({ event: 'removed', data: { kind: `${this.#kind}-fault`, id } });
    }
  }
}
