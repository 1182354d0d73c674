import { RUN_STATUSES } from '../generated/constants.ts';
import type { Clock } from '../clock.ts';
import type { RunStatus } from '../generated/run-events.ts';
import type { Store } from '../stores/store.ts';

/** The name that pauses every handler. */
const EVERY_HANDLER = '*';

/**
 * Returns the name under which a store keeps a pause.
 *
 * @throws {TypeError} When the handler is none that can be paused.
 */
export function pauseName(handler: string | undefined): string {
  return handler === undefined ? EVERY_HANDLER : requireStatus(handler);
}

/**
 * Returns the status of a run that names a handler.
 *
 * @throws {TypeError} When it is none.
 */
export function requireStatus(handler: unknown): RunStatus {
  const status = RUN_STATUSES.find((each) => each === handler);
  if (status !== undefined) return status;
  throw new TypeError(
    `handler must be the status of a run (${RUN_STATUSES.join(', ')}), got ${JSON.stringify(handler)}. Leave it out for all.`,
  );
}

/** What is paused, for all processes that share the store. */
export class Pauses {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #maxAge: number;
  #names: ReadonlySet<string> = new Set();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(store: Store, clock: Clock, maxAgeMilliseconds: number) {
    this.#store = store;
    this.#clock = clock;
    this.#maxAge = maxAgeMilliseconds;
  }

  /** True when nothing may be handled. */
  get isEverything(): boolean {
    return this.#names.has(EVERY_HANDLER);
  }

  /** True when events of this status wait. An event without a run has none. */
  has(status: string | null): boolean {
    return status !== null && this.#names.has(status);
  }

  /**
   * Reads them again if there were some: a job that is leased by now is due again after a pause
   * ends.
   */
  async recheck(): Promise<void> {
    if (this.#names.size > 0) await this.read();
  }

  /** Reads them again when they are old: other processes change them too. */
  async refresh(): Promise<void> {
    if (this.#clock.monotonic() - this.#readAt >= this.#maxAge) await this.read();
  }

  /** Reads them now. */
  async read(): Promise<readonly string[]> {
    const names = await this.#store.paused();
    this.#names = new Set(names);
    this.#readAt = this.#clock.monotonic();
    return names;
  }
}
