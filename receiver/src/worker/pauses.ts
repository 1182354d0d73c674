import type { Clock } from '../clock.ts';
import type { Store } from '../stores/store.ts';

/** The name that pauses every handler. */
const EVERY_HANDLER = '*';

/** Returns the name under which stores keep a pause: of everything, or of a source or a handler. */
export function pauseName(source: string | undefined, handler: string | undefined): string {
  const name = handler ?? EVERY_HANDLER;
  return source === undefined ? name : `${source}/${name}`;
}

/** Returns the names that pause an event. */
function pauseNames(source: string, handler: string | null): readonly string[] {
  const names = [EVERY_HANDLER, pauseName(source, undefined)];
  return handler === null ? names : [...names, handler, pauseName(source, handler)];
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

  /** True when events of a source with this handler wait. */
  has(source: string, handler: string | null): boolean {
    if (this.#names.size === 0) return false;
    return pauseNames(source, handler).some((name) => this.#names.has(name));
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
