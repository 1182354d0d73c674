import { nextTurn, within } from '../clock.ts';
import type { TimerHandle } from '../clock.ts';
import { reportOf } from '../problems.ts';
import { describeThrown } from '../thrown.ts';
import { StoreError } from '../stores/store-error.ts';
import type { LeasedJob } from '../stores/store.ts';
import { handleJob } from './handle-job.ts';
import { HeldLease } from './held-lease.ts';
import { SuspectSlot } from './suspect-slot.ts';
import { unknownSource } from './unknown-source.ts';
import type { SourceWork } from './source-work.ts';
import type { WorkerSettings } from './worker-settings.ts';

/**
 * How the events of one source are handled, with a `report` that names it where sources have names.
 */
interface Part<Tx> {
  readonly work: SourceWork<Tx>;
  readonly settings: WorkerSettings<Tx>;
}

/** Handles the jobs of the store: several at the same time, each one event after the other. */
export class Worker<Tx> {
  readonly #settings: WorkerSettings<Tx>;
  /** By the name of the job. */
  readonly #inHand = new Map<string, HeldLease>();
  /** By the name of the source. */
  readonly #parts = new Map<string, Part<Tx>>();
  readonly #suspects = new SuspectSlot();
  #isRunning = false;
  #isLooking = false;
  #shouldLookAgain = false;
  #timer: TimerHandle | null = null;
  #idleCallbacks: (() => void)[] = [];
  /** How long until the store has a due job, as it said last. */
  #nextIn: number | null = null;

  constructor(settings: WorkerSettings<Tx>) {
    this.#settings = settings;
  }

  /** Handles jobs from now on. */
  start(): void {
    this.#isRunning = true;
    this.wake();
  }

  /** Looks for work now, unless the worker is stopped. */
  readonly wake = (): void => {
    this.#shouldLookAgain = true;
    if (!this.#isLooking && this.#isRunning) void this.#look();
  };

  /**
   * Resolves when nothing is being handled and nothing is due. Jobs that are due later do not
   * count.
   */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleCallbacks.push(resolve);
      this.#resolveIdle();
    });
  }

  /** Finishes the events that are being handled, then stops. */
  async stop(): Promise<void> {
    this.pause();
    await this.idle();
  }

  /** Takes no further work. What is being handled goes on. */
  pause(): void {
    this.#isRunning = false;
    this.#clearTimer();
  }

  /** Gives up the jobs in hand: aborts their handlers, and returns their names. */
  abandon(): readonly string[] {
    for (const held of this.#inHand.values()) held.abandon();
    return [...this.#inHand.keys()];
  }

  #mayTake(): boolean {
    const isBelowLimit = this.#inHand.size < this.#settings.maxConcurrentRuns;
    return this.#shouldLookAgain && this.#isRunning && isBelowLimit;
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    this.#clearTimer();
    try {
      while (this.#mayTake()) {
        this.#shouldLookAgain = false;
        await this.#takeJobs();
      }
      if (this.#isRunning) this.#sleep();
    } catch (cause) {
      const { pollMilliseconds } = this.#settings;
      const message = `The store did not return work; the next try is in ${pollMilliseconds} ms. ${describeThrown(cause)}`;
      this.#settings.report({ ...ABOUT_NO_EVENT, code: 'store_unavailable', message, cause });
      this.#shouldLookAgain = false;
      if (this.#isRunning) this.#wakeAfter(pollMilliseconds);
    }
    this.#isLooking = false;
    if (this.#mayTake()) void this.#look();
    else this.#resolveIdle();
  }

  async #takeJobs(): Promise<void> {
    // Jobs that end in this turn free their places first, so that one look serves all of them.
    await nextTurn();
    if (!this.#isRunning) return;
    const { store, clock, holder, leaseMilliseconds, maxConcurrentRuns, pauses } = this.#settings;
    await this.#inTime(pauses.refresh());
    this.#nextIn = null;
    if (pauses.isEverything) return;
    const takenAt = clock.monotonic();
    const taking = store.take({
      holder,
      inHand: [...this.#inHand.keys()],
      limit: maxConcurrentRuns - this.#inHand.size,
      leaseFor: leaseMilliseconds,
    });
    const { jobs, nextIn } = await this.#inTime(taking);
    for (const job of jobs) this.#begin(job, takenAt);
    this.#nextIn = nextIn;
    if (nextIn === 0) this.#shouldLookAgain = true;
  }

  #begin(job: LeasedJob, takenAt: number): void {
    const part = this.#partOf(job.source);
    const held = new HeldLease(job, part.work, takenAt, part.settings);
    this.#inHand.set(job.lease.job, held);
    void this.#handle(job, held, part);
  }

  #partOf(source: string): Part<Tx> {
    const known = this.#parts.get(source);
    if (known !== undefined) return known;
    const { sources, hasSources, report } = this.#settings;
    const settings: WorkerSettings<Tx> = hasSources
      ? { ...this.#settings, report: reportOf(report, source) }
      : this.#settings;
    const part = { work: sources.get(source) ?? unknownSource(source, settings), settings };
    this.#parts.set(source, part);
    return part;
  }

  async #handle(job: LeasedJob, held: HeldLease, { work, settings }: Part<Tx>): Promise<void> {
    try {
      await handleJob(job, held, work, settings, this.#suspects, () => !this.#isRunning);
    } catch (cause) {
      const { name, runId } = held;
      const message = `Handling of ${name} stopped and is repeated later. ${describeThrown(cause)}`;
      settings.report({ code: 'store_unavailable', message, eventId: null, runId, cause });
    }
    held.end();
    // The store may have leased the job again before the result of its release arrived here.
    if (this.#inHand.get(job.lease.job) === held) {
      this.#inHand.delete(job.lease.job);
      this.#suspects.free(job.lease.job);
    }
    this.wake();
    this.#resolveIdle();
  }

  /** Waits until the store has a due job, at most one poll interval. */
  #sleep(): void {
    const { pollMilliseconds, maxConcurrentRuns, onLook } = this.#settings;
    onLook();
    const isFull = this.#inHand.size === maxConcurrentRuns;
    const next = isFull ? null : this.#nextIn;
    this.#wakeAfter(Math.max(Math.min(next ?? Infinity, pollMilliseconds), 1));
  }

  /**
   * Jobs of a result that comes later are not in hand, so that the next `take` returns them again.
   */
  async #inTime<Value>(result: Promise<Value>): Promise<Value> {
    const { clock, leaseMilliseconds } = this.#settings;
    const inTime = await within(result, leaseMilliseconds, clock);
    if (inTime !== null) return inTime.value;
    const message = `Store must respond within ${leaseMilliseconds} ms (leaseMilliseconds), got no result.`;
    throw new StoreError('store_unavailable', message);
  }

  #wakeAfter(milliseconds: number): void {
    this.#clearTimer();
    this.#timer = this.#settings.clock.setTimeout(this.wake, milliseconds);
  }

  #clearTimer(): void {
    if (this.#timer !== null) this.#settings.clock.clearTimeout(this.#timer);
    this.#timer = null;
  }

  #resolveIdle(): void {
    const hasMoreWork = this.#shouldLookAgain && this.#isRunning;
    if (this.#inHand.size > 0 || this.#isLooking || hasMoreWork) return;
    for (const resolve of this.#idleCallbacks.splice(0)) resolve();
  }
}

const ABOUT_NO_EVENT = { eventId: null, runId: null };
