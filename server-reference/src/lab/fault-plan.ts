import { isoTime } from '../clock/clock.ts';

/** The maximum number of armed faults of a plan. */
export const MAX_FAULTS = 100;
/** The maximum number of hits that a fault reports. */
export const MAX_REPORTED_HITS = 100;

/** What a plan knows about a fault beside its order. */
export interface Injected<Hit> {
  readonly id: string;
  readonly injectedAt: string;
  /** How often it was applied. */
  readonly hits: number;
  /** Its most recent hits, oldest first. */
  readonly recentHits: readonly Hit[];
}

interface FaultPlanOptions<Fault, Hit> {
  /** The ids continue it with a number. */
  readonly prefix: string;
  /** Returns whether a fault never applies again. */
  readonly isExhausted: (fault: Fault, now: number) => boolean;
  /** Called after each change of a fault, with the hit that changed it. */
  readonly changed: (fault: Fault, hit: Hit | null) => void;
  /** Called with the id of each fault that is gone. */
  readonly removed: (id: string) => void;
}

/** The options of a plan that its owner gives. */
export type FaultListener<Fault, Hit> = Pick<FaultPlanOptions<Fault, Hit>, 'changed' | 'removed'>;

/** The injected faults of one kind, oldest first. A restart removes them. */
export class FaultPlan<Order extends object, Hit extends object> {
  readonly #options: FaultPlanOptions<Order & Injected<Hit>, Hit>;
  readonly #faults = new Map<string, Order & Injected<Hit>>();
  #injected = 0;

  constructor(options: FaultPlanOptions<Order & Injected<Hit>, Hit>) {
    this.#options = options;
  }

  list(): readonly (Order & Injected<Hit>)[] {
    return [...this.#faults.values()];
  }

  /** Returns a fault as the control interface shows it: with whether it still applies. */
  view(
    fault: Order & Injected<Hit>,
    now: number,
  ): Order & Injected<Hit> & { readonly armed: boolean } {
    return { ...fault, armed: !this.#options.isExhausted(fault, now) };
  }

  /** Returns how many faults can be added: {@link MAX_FAULTS} can be armed. */
  room(now: number): number {
    const { isExhausted } = this.#options;
    return MAX_FAULTS - this.list().filter((fault) => !isExhausted(fault, now)).length;
  }

  /**
   * Adds a fault. If the plan is full, the oldest exhausted fault is removed.
   *
   * @throws {RangeError} if none is exhausted; ask {@link room} first
   */
  protected add(order: Order, now: number): Order & Injected<Hit> {
    if (this.#faults.size >= MAX_FAULTS) this.#removeExhausted(now);
    this.#injected += 1;
    const id = this.#options.prefix + this.#injected;
    const fault = { ...order, id, injectedAt: isoTime(now), hits: 0, recentHits: [] };
    this.#set(fault, null);
    return fault;
  }

  /** @returns whether there was a fault with this id */
  remove(id: string): boolean {
    const existed = this.#faults.delete(id);
    if (existed) this.#options.removed(id);
    return existed;
  }

  clear(): void {
    for (const id of this.#faults.keys()) this.remove(id);
  }

  /** Replaces a fault by its next state. */
  protected change(fault: Order & Injected<Hit>): void {
    this.#set(fault, null);
  }

  /** Counts a hit, and returns the fault with it. */
  protected hit(fault: Order & Injected<Hit>, hit: Hit): Order & Injected<Hit> {
    const recentHits = [...fault.recentHits, hit].slice(-MAX_REPORTED_HITS);
    const after = { ...fault, hits: fault.hits + 1, recentHits };
    this.#set(after, hit);
    return after;
  }

  #set(fault: Order & Injected<Hit>, hit: Hit | null): void {
    this.#faults.set(fault.id, fault);
    this.#options.changed(fault, hit);
  }

  #removeExhausted(now: number): void {
    const { isExhausted } = this.#options;
    const exhausted = this.list().find((fault) => isExhausted(fault, now));
    if (exhausted === undefined) throw new RangeError(`At most ${MAX_FAULTS} faults can be armed.`);
    this.remove(exhausted.id);
  }
}
