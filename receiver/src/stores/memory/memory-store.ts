import { knownOptions, positiveInteger } from '../../argument-checks.ts';
import { realClock } from '../../clock.ts';
import { repetitionOutcome } from '../repetition.ts';
import type {
  AcceptOutcome,
  DeadLetterFilter,
  DeadLetterPage,
  EventArrival,
  Finished,
  IncomingEvent,
  KnownEvent,
  Lease,
  LeasedJob,
  Next,
  OpenEventPage,
  PageRequest,
  RunPage,
  Outcome,
  ReplayFilter,
  Store,
  StoredEvent,
  StoreHost,
  StoreStats,
  TakeRequest,
  JobEvents,
} from '../store.ts';
import {
  deadLetterPage,
  isChosen,
  isToReplay,
  jobEvents,
  knownEvents,
  leasedEvents,
  nearEvents,
  openEventPage,
  runPage,
  storedEvent,
  waitingEvents,
} from './read.ts';
import { isHeld, Schedule, jobName } from './schedule.ts';
import { Jobs } from './jobs.ts';
import type { EventRecord, MemoryBounds, JobRecord } from './jobs.ts';

export interface MemoryStoreOptions {
  /** Maximum number of events that are not handled yet, dead letters included. Default: 100,000. */
  readonly maxEvents?: number;
  /**
   * Maximum number of bytes of their bodies, and of those that `keepBodiesDays` keeps. Where the room is needed,
   * the latter are deleted before their time, the oldest first. Default: 64 MiB.
   */
  readonly maxBytes?: number;
  /**
   * Maximum number of handled events that are remembered, by id and digest, to recognise duplicates
   * and to order their run. Above it, the run that was untouched for the longest time is forgotten as a
   * whole, unless it has an event to handle or a dead letter. Default: 100,000, which take about 150 MB.
   */
  readonly maxHandled?: number;
}

/**
 * Creates a store that keeps events in this process: for tests, and for events that may be lost with
 * the process. When a bound is reached, `accept` rejects with the code `store_full` and the receiver
 * responds with 503.
 *
 * Requirements: `receiver.duplicate.single-effect`.
 *
 * @throws {TypeError} When a bound is not a positive integer.
 * @example
 * ```ts
 * import { createReceiver } from '@hookproof/receiver';
 * import { memoryStore } from '@hookproof/receiver/memory';
 *
 * export const receiver = createReceiver({
 *   secrets: 'whsec_c2VjcmV0',
 *   store: memoryStore({ maxEvents: 10_000 }),
 *   handlers: { failed: ({ data }) => console.error(data.run.id) },
 * });
 * ```
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store<undefined> {
  knownOptions(options, ['maxEvents', 'maxBytes', 'maxHandled']);
  return new MemoryStore({
    maxEvents: positiveInteger('maxEvents', options.maxEvents, 100_000),
    maxBytes: positiveInteger('maxBytes', options.maxBytes, 64 * 1024 * 1024),
    maxHandled: positiveInteger('maxHandled', options.maxHandled, 100_000),
  });
}

/** Its operations are own properties, so that `{ ...store, accept }` replaces one of them. */
class MemoryStore implements Store<undefined> {
  readonly #jobs: Jobs;
  readonly #schedule = new Schedule();
  readonly #paused = new Set<string>();
  #clock = realClock();

  constructor(bounds: MemoryBounds) {
    this.#jobs = new Jobs(bounds);
  }

  readonly open = async ({ clock }: StoreHost): Promise<void> => {
    this.#clock = clock;
  };

  readonly accept = async (event: IncomingEvent): Promise<AcceptOutcome> => {
    const known = this.#jobs.byId.get(event.id);
    if (known !== undefined) return repetitionOutcome(event.body, known);
    const now = this.#clock.monotonic();
    const { job, state } = this.#jobs.add(event, now, this.#clock.now());
    if (state === 'open') this.#schedule.setDue(job, now, now);
    return 'new';
  };

  readonly take = async (request: TakeRequest): Promise<readonly LeasedJob[]> => {
    const now = this.#clock.monotonic();
    return this.#schedule.take(request, now).map((job) => {
      const { open, known, hasMoreBefore, hasMoreAfter } = leasedEvents(job, now);
      return {
        lease: { job: jobName(job), token: job.lease?.token ?? 0 },
        runId: job.runId,
        isRunSettled: job.settledBy !== null,
        order: job.order,
        open,
        known,
        lastPosition: job.events.length,
        hasMoreBefore,
        hasMoreAfter,
      };
    });
  };

  readonly bodies = async (
    lease: Lease,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Uint8Array>> => {
    const found = new Map<string, Uint8Array>();
    for (const id of ids) {
      const event = this.#openEvent(lease, id);
      if (event?.body) found.set(id, event.body);
    }
    return found;
  };

  readonly news = async (lease: Lease, afterPosition: number): Promise<JobEvents | null> => {
    const job = this.#held(lease);
    if (job === null) return null;
    const news = jobEvents(job.events, afterPosition, this.#clock.monotonic());
    if (job.lease !== null) job.lease.hasNews = news.hasMoreAfter;
    return news;
  };

  readonly waiting = async (lease: Lease, afterPlace: string): Promise<JobEvents | null> => {
    const job = this.#held(lease);
    return job && waitingEvents(job.waiting, afterPlace, this.#clock.monotonic());
  };

  readonly near = async (
    lease: Lease,
    place: string,
    limit: number,
  ): Promise<readonly KnownEvent[] | null> => {
    const job = this.#held(lease);
    return job && nearEvents(job, place, limit);
  };

  readonly keepArrivals = async (
    lease: Lease,
    arrivals: readonly EventArrival[],
  ): Promise<boolean> => {
    const job = this.#held(lease);
    for (const { id, arrival } of arrivals) {
      const event = this.#jobs.byId.get(id);
      if (job !== null && event?.job === job) event.arrival = arrival;
    }
    return job !== null;
  };

  readonly renew = async (lease: Lease, leaseFor: number): Promise<boolean> => {
    const held = this.#held(lease)?.lease;
    if (held === undefined || held === null) return false;
    held.until = this.#clock.monotonic() + leaseFor;
    return true;
  };

  readonly begin = async (lease: Lease, id: string): Promise<boolean> => {
    const held = this.#held(lease)?.lease;
    if (held === undefined || held === null) return false;
    held.begun = id;
    return true;
  };

  readonly finish = async (
    lease: Lease,
    outcomes: readonly Outcome[],
    next: Next,
    order: string | null = null,
  ): Promise<Finished> => {
    const job = this.#held(lease);
    if (job === null) return { isHeld: false, lastPosition: 0 };
    const now = this.#clock.monotonic();
    for (const outcome of outcomes) this.#apply(job, outcome, now);
    job.order = order ?? job.order;
    if (next.do === 'release') this.#schedule.release(job, now + (next.dueIn ?? Infinity), now);
    else if (job.lease !== null) {
      job.lease.until = now + next.leaseFor;
      job.lease.begun = next.begin ?? null;
    }
    return { isHeld: true, lastPosition: job.events.length };
  };

  readonly nextDueIn = async ({ inHand }: Pick<TakeRequest, 'inHand'>): Promise<number | null> => {
    const now = this.#clock.monotonic();
    const next = this.#schedule.next(new Set(inHand), now);
    return next === Infinity ? null : Math.max(next - now, 0);
  };

  readonly stats = async (): Promise<StoreStats> => {
    const now = this.#clock.monotonic();
    const events = [...this.#jobs.byId.values()];
    const open = events.filter(({ state }) => state === 'open');
    return {
      open: open.length,
      due: this.#schedule.dueCount(now),
      inHand: this.#schedule.leasedCount,
      dead: events.filter(({ state }) => state === 'dead').length,
      settled: this.#jobs.settledCount,
      oldestOpen: open[0] === undefined ? null : now - open[0].acceptedAt,
    };
  };

  readonly inspect = async (id: string): Promise<StoredEvent | null> => {
    const event = this.#jobs.byId.get(id);
    return event === undefined ? null : storedEvent(event);
  };

  readonly history = async (runId: string): Promise<readonly KnownEvent[]> =>
    knownEvents(this.#jobs.byRun.get(runId)?.events ?? []);

  readonly openEvents = async (page: PageRequest, runId?: string): Promise<OpenEventPage> => {
    const events =
      runId === undefined
        ? [...this.#jobs.byId.values()]
        : (this.#jobs.byRun.get(runId)?.events ?? []);
    return openEventPage(events, page, this.#clock.monotonic());
  };

  readonly pause = async (name: string): Promise<void> => {
    this.#paused.add(name);
  };

  readonly resume = async (name: string): Promise<void> => {
    if (!this.#paused.delete(name)) return;
    const waiting = [...this.#jobs.byId.values()].filter(({ state }) => state === 'open');
    this.#schedule.makeAllDue(new Set(waiting.map(({ job }) => job)), this.#clock.monotonic());
  };

  readonly paused = async (): Promise<readonly string[]> => [...this.#paused].toSorted();

  readonly deadLetters = async (
    page: PageRequest,
    filter: DeadLetterFilter = {},
  ): Promise<DeadLetterPage> => deadLetterPage([...this.#jobs.byId.values()], page, filter);

  readonly runs = async (page: PageRequest, automationId?: string): Promise<RunPage> =>
    runPage([...this.#jobs.byRun.values()], page, automationId);

  readonly body = async (id: string): Promise<Uint8Array | null> =>
    this.#jobs.byId.get(id)?.body ?? null;

  readonly redrive = async (filter: DeadLetterFilter): Promise<number> => {
    const now = this.#clock.monotonic();
    const chosen = this.#dead(filter);
    for (const event of chosen) {
      Object.assign(event, { state: 'open', attempts: 0, crashes: 0, retryAt: now });
      this.#schedule.makeDue(event.job, now);
    }
    return chosen.length;
  };

  readonly replay = async (
    filter: ReplayFilter,
    { dryRun }: { readonly dryRun: boolean },
  ): Promise<number> => {
    const now = this.#clock.monotonic();
    const chosen = this.#jobs.kept(now).filter((event) => isToReplay(event, filter));
    if (dryRun) return chosen.length;
    this.#jobs.replay(chosen, now);
    for (const { job } of chosen) this.#schedule.makeDue(job, now);
    return chosen.length;
  };

  readonly discard = async (filter: DeadLetterFilter): Promise<number> => {
    const chosen = this.#dead(filter);
    for (const event of chosen) this.#jobs.settle(event);
    return chosen.length;
  };

  readonly countDead = async (filter: DeadLetterFilter): Promise<number> =>
    this.#dead(filter).length;

  readonly now = async (): Promise<number> => this.#clock.now();

  readonly purgeBodies = async (): Promise<void> => this.#jobs.purgeBodies(this.#clock.monotonic());

  readonly purge = async (olderThan: number): Promise<number> => {
    const now = this.#clock.monotonic();
    return this.#jobs.purge(now - olderThan);
  };

  readonly close = async (): Promise<void> => {};

  #apply(job: JobRecord, outcome: Outcome, now: number): void {
    const event = this.#jobs.byId.get(outcome.id);
    if (event?.job !== job || event.state !== 'open') return;
    if (outcome.as !== 'dead') event.crashes = 0;
    if (outcome.as === 'settled') {
      if (outcome.runSettled) job.settledBy = event.id;
      const { keepBodyFor } = outcome;
      const kept = { monotonic: now + keepBodyFor, wall: this.#clock.now() + keepBodyFor };
      this.#jobs.settle(event, keepBodyFor > 0 ? kept : null);
    } else if (outcome.as === 'failed') {
      event.attempts += 1;
      event.error = outcome.error;
      event.retryAt = now + outcome.dueIn;
    } else {
      if (outcome.isFailure) event.attempts += 1;
      event.state = 'dead';
      event.reason = outcome.reason;
      event.error = outcome.error;
    }
  }

  #dead(filter: DeadLetterFilter): readonly EventRecord[] {
    return [...this.#jobs.byId.values()].filter((event) => isChosen(event, filter));
  }

  #held(lease: Lease): JobRecord | null {
    const job = lease.job.startsWith('run:')
      ? this.#jobs.byRun.get(lease.job.slice('run:'.length))
      : this.#jobs.byId.get(lease.job.slice('event:'.length))?.job;
    return isHeld(job, lease) ? job : null;
  }

  #openEvent(lease: Lease, id: string): EventRecord | undefined {
    const event = this.#jobs.byId.get(id);
    return event?.state === 'open' && event.job === this.#held(lease) ? event : undefined;
  }
}
