import type { EventArrival, KnownEvent, Lease, Store, JobEvents } from '../stores/store.ts';

/** Another holder has the job. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Reads the events of a leased run, a bounded number at a time. */
export class RunReader {
  readonly #store: Store;
  readonly #lease: Lease;
  readonly #runId: string;

  constructor(store: Store, lease: Lease, runId: string) {
    this.#store = store;
    this.#lease = lease;
    this.#runId = runId;
  }

  /** Reads the first events that were accepted after a position. */
  async news(afterPosition: number): Promise<JobEvents> {
    return held(await this.#store.news(this.#lease, afterPosition));
  }

  /** Reads the first events after a place that are not settled. */
  async waiting(afterPlace: string): Promise<JobEvents> {
    return held(await this.#store.waiting(this.#lease, afterPlace));
  }

  /** Reads the events around a place, up to a number on each side. */
  async near(place: string, limit: number): Promise<readonly KnownEvent[]> {
    return held(await this.#store.near(this.#lease, place, limit));
  }

  /** Writes how events arrived. */
  async keepArrivals(arrivals: readonly EventArrival[]): Promise<void> {
    if (!(await this.#store.keepArrivals(this.#lease, arrivals))) held(null);
  }

  /** Reads all events of the run: only contradictions need them. */
  async all(upTo: number): Promise<readonly KnownEvent[]> {
    const known = await this.#store.history(this.#runId);
    return known.filter(({ position }) => position <= upTo);
  }
}

function held<Value>(value: Value | null): Value {
  if (value === null) throw new LeaseLost('another holder has it');
  return value;
}
