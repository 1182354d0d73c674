import type { TimerHandle } from '../clock.ts';
import { describeThrown } from '../problems.ts';
import type { LeasedWork } from '../stores/store.ts';
import { keepLease } from './keep-lease.ts';
import { processRun, processSingle } from './process-work.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** Handles the events of the store: several runs at the same time, each run one event after the other. */
export class Worker {
  readonly #settings: WorkerSettings;
  readonly #heldLeases = new Set<() => void>();
  #isStopping = false;
  #isLooking = false;
  #shouldLookAgain = false;
  #worksInProgress = 0;
  #timer: TimerHandle | null = null;
  #idleCallbacks: (() => void)[] = [];

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
  }

  /** Looks for work now. The first call starts the worker. */
  readonly wake = (): void => {
    this.#shouldLookAgain = true;
    if (!this.#isLooking && !this.#isStopping) void this.#look();
  };

  /** Resolves when nothing is being handled and nothing is due. Events that are due later do not count. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleCallbacks.push(resolve);
      this.#resolveIdle();
    });
  }

  /** Finishes the events that are being handled, then stops. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#clearTimer();
    await this.idle();
  }

  /** Stops renewing leases, and returns the number of works in progress. */
  abandon(): number {
    for (const letGo of this.#heldLeases) letGo();
    return this.#worksInProgress;
  }

  #mayTake(): boolean {
    const isBelowLimit = this.#worksInProgress < this.#settings.maxConcurrentRuns;
    return this.#shouldLookAgain && !this.#isStopping && isBelowLimit;
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    this.#clearTimer();
    try {
      while (this.#mayTake()) {
        this.#shouldLookAgain = false;
        await this.#takeWork();
      }
      if (!this.#isStopping) await this.#sleep();
    } catch (cause) {
      this.#reportFailure('The store did not return work; the worker looks again later.', cause);
      this.#shouldLookAgain = false;
      if (!this.#isStopping) this.#wakeAfter(this.#settings.pollMilliseconds);
    }
    this.#isLooking = false;
    if (this.#mayTake()) void this.#look();
    else this.#resolveIdle();
  }

  async #takeWork(): Promise<void> {
    // Works that end in this turn free their places first, so that one look serves all of them.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (this.#isStopping) return;
    const { store, clock, leaseMilliseconds, maxConcurrentRuns } = this.#settings;
    const now = clock.now();
    const limit = maxConcurrentRuns - this.#worksInProgress;
    const works = await store.lease({ now, until: now + leaseMilliseconds, limit });
    for (const work of works) void this.#process(work);
    if (works.length > 0) this.#shouldLookAgain = true;
  }

  async #process(work: LeasedWork): Promise<void> {
    this.#worksInProgress += 1;
    const letGo = keepLease(work.lease, this.#settings);
    this.#heldLeases.add(letGo);
    try {
      if (work.runId === null) await processSingle(work, this.#settings);
      else await processRun(work, this.#settings, () => this.#isStopping);
    } catch (cause) {
      this.#reportFailure(`Handling of ${work.lease.work} failed and is repeated later.`, cause);
    }
    letGo();
    this.#heldLeases.delete(letGo);
    this.#worksInProgress -= 1;
    this.wake();
    this.#resolveIdle();
  }

  /** Waits until the store has due work, at most one poll interval. */
  async #sleep(): Promise<void> {
    const { store, clock, pollMilliseconds } = this.#settings;
    const now = clock.now();
    const next = await store.nextDue(now);
    if (this.#isStopping) return;
    const delay = Math.min(next === null ? Infinity : next - now, pollMilliseconds);
    this.#wakeAfter(Math.max(delay, 1));
  }

  #wakeAfter(milliseconds: number): void {
    this.#timer = this.#settings.clock.setTimeout(this.wake, milliseconds);
  }

  #clearTimer(): void {
    if (this.#timer !== null) this.#settings.clock.clearTimeout(this.#timer);
    this.#timer = null;
  }

  #resolveIdle(): void {
    const hasMoreWork = this.#shouldLookAgain && !this.#isStopping;
    if (this.#worksInProgress > 0 || this.#isLooking || hasMoreWork) return;
    for (const resolve of this.#idleCallbacks.splice(0)) resolve();
  }

  #reportFailure(what: string, cause: unknown): void {
    const message = `${what} ${describeThrown(cause)}`;
    this.#settings.report({
      code: 'store_unavailable',
      message,
      eventId: null,
      runId: null,
      cause,
    });
  }
}
