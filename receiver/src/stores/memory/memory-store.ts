import { knownOptions, positiveInteger } from '../../argument-checks.ts';
import { realClock } from '../../clock.ts';
import { bodyDigest } from '../digest.ts';
import { everyHour, hourOf } from '../hours.ts';
import { cursorNumber, pageOf } from '../page.ts';
import { StoreError } from '../store-error.ts';
import { MAX_ATTEMPTS_KEPT, MAX_COUNTED_EVENTS, MAX_JOB_EVENTS } from '../store.ts';
import type {
  AcceptOutcome,
  Attempt,
  Change,
  EventFilter,
  EventRecord,
  Finished,
  HourCounts,
  JobEvent,
  KeyRecord,
  Lease,
  ListRequest,
  NewEvent,
  Next,
  Outcome,
  Page,
  PageRequest,
  Store,
  StoreStats,
  Taken,
  TakeRequest,
} from '../store.ts';
import { eventRecord, isChosen, jobEvent, leasedJob } from './records.ts';
import type { MemoryEvent, MemoryJob, Moment } from './records.ts';

export interface MemoryStoreOptions {
  /** Maximum number of events that are not handled yet, dead letters included. Default: 100,000. */
  readonly maxEvents?: number;
}

/** Bytes of all bodies, those included that `keepBodiesDays` keeps. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Handled events that are remembered. They take about 150 MB. */
const MAX_HANDLED = 100_000;
const NO_FAILURES: MemoryEvent['failures'] = [];

// Requirements: receiver.duplicate.single-effect.
/**
 * Creates a store that keeps events in this process: for tests, and for events that may be lost
 * with the process. With more than `maxEvents` that are not handled, or 64 MiB of bodies, `accept`
 * rejects with the code `store_full` and the receiver responds with 503. It remembers 100,000
 * handled events; above that, it forgets the run as a whole that was handled first.
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
  knownOptions(options, ['maxEvents']);
  return new MemoryStore(positiveInteger('maxEvents', options.maxEvents, 100_000));
}

/** Its operations are own properties, so that `{ ...store, accept }` replaces one of them. */
class MemoryStore implements Store<undefined> {
  readonly #maxEvents: number;
  /** By source and id. */
  readonly #events = new Map<string, MemoryEvent>();
  readonly #jobs = new Map<string, MemoryJob>();
  /** Free jobs that are due, or will be. */
  readonly #waiting = new Set<MemoryJob>();
  readonly #leased = new Set<MemoryJob>();
  /** Jobs whose events are all handled, the one that was handled first at the front. */
  readonly #handled = new Set<MemoryJob>();
  /** By name, since when. */
  readonly #paused = new Map<string, number>();
  #clock = realClock();
  #sequence = 0;
  #unhandled = 0;
  #bytes = 0;
  /** When the newest of all events was signed. */
  #newest = 0;

  constructor(maxEvents: number) {
    this.#maxEvents = maxEvents;
  }

  readonly open = async ({ clock }: Parameters<Store['open']>[0]): Promise<void> => {
    this.#clock = clock;
  };

  readonly close = async (): Promise<void> => {};

  readonly accept = async (event: NewEvent): Promise<AcceptOutcome> => {
    const name = nameOf(event.source, event.id);
    const digest = bodyDigest(event.body);
    const known = this.#events.get(name);
    if (known !== undefined) return known.digest === digest ? 'duplicate' : 'conflict';
    this.#requireRoom(event.body.length);
    const job = this.#jobOf(event);
    const { wall, monotonic } = this.#now();
    this.#sequence += 1;
    this.#unhandled += 1;
    this.#newest = Math.max(this.#newest, event.timestamp);
    job.newest = Math.max(job.newest, event.timestamp);
    job.unhandled += 1;
    this.#handled.delete(job);
    const { source, id, key, owner, type, handler, facts, error } = event;
    const added: MemoryEvent = {
      source,
      id,
      key,
      owner,
      type,
      handler,
      facts,
      job,
      position: job.events.length + 1,
      sequence: this.#sequence,
      digest,
      receivedAt: wall,
      acceptedAt: monotonic,
      body: Uint8Array.from(event.body),
      state: error === null ? 'open' : 'dead',
      retryAt: monotonic,
      attempts: 0,
      firstFailedAt: null,
      failures: NO_FAILURES,
      crashes: 0,
      reason: error === null ? null : 'event_quarantined',
      error,
      isReplay: false,
      handledAt: null,
      keptUntil: null,
    };
    job.events.push(added);
    this.#events.set(name, added);
    if (added.state === 'open') this.#setDue(job, monotonic);
    return 'new';
  };

  readonly take = async (request: TakeRequest): Promise<Taken> => {
    const now = this.#now();
    this.#freeLost(request, now.monotonic);
    const taken: MemoryJob[] = [];
    for (const job of this.#waiting) {
      if (taken.length === request.limit) break;
      if (job.dueAt <= now.monotonic) taken.push(job);
    }
    const jobs = taken.map((job) => {
      job.lastToken += 1;
      const [token, until] = [job.lastToken, now.monotonic + request.leaseFor];
      const seen = job.events.length;
      job.lease = { holder: request.holder, token, until, seen, begun: null, isDueAgain: false };
      this.#waiting.delete(job);
      this.#leased.add(job);
      return leasedJob(job, token, now);
    });
    return { jobs, nextIn: this.#nextIn(request.holder, now.monotonic) };
  };

  readonly events = async (
    lease: Lease,
    afterPosition: number,
  ): Promise<readonly JobEvent[] | null> => {
    const job = this.#held(lease);
    if (job?.lease == null) return null;
    job.lease.seen = job.events.length;
    const now = this.#now();
    return job.events.slice(afterPosition).map((event) => jobEvent(event, now));
  };

  readonly renew = async (lease: Lease, leaseFor: number): Promise<boolean> => {
    const held = this.#held(lease)?.lease;
    if (held == null) return false;
    held.until = this.#clock.monotonic() + leaseFor;
    return true;
  };

  readonly begin = async (lease: Lease, id: string): Promise<Uint8Array | null> => {
    const job = this.#held(lease);
    return job === null ? null : this.#begin(job, id);
  };

  readonly finish = async (
    lease: Lease,
    outcomes: readonly Outcome[],
    next: Next,
  ): Promise<Finished> => {
    const job = this.#held(lease);
    if (job?.lease == null) return { isHeld: false, lastPosition: 0, body: null };
    const now = this.#now();
    for (const outcome of outcomes) this.#apply(job, outcome, now);
    job.lease.begun = null;
    let body = null;
    if (next.do === 'hold') {
      job.lease.until = now.monotonic + next.leaseFor;
      if (next.begin !== null) body = this.#begin(job, next.begin);
    } else {
      const isDue = job.lease.isDueAgain || job.lease.seen < job.events.length;
      this.#release(job, isDue ? now.monotonic : now.monotonic + (next.dueIn ?? Infinity));
    }
    return { isHeld: true, lastPosition: job.events.length, body };
  };

  readonly stats = async (): Promise<StoreStats> => {
    const now = this.#clock.monotonic();
    const events = [...this.#events.values()];
    const open = events.filter(({ state }) => state === 'open');
    return {
      open: open.length,
      retrying: open.filter(({ attempts }) => attempts > 0).length,
      due: [...this.#waiting].filter(({ dueAt }) => dueAt <= now).length,
      inHand: this.#leased.size,
      dead: events.filter(({ state }) => state === 'dead').length,
      oldestOpen: open[0] === undefined ? null : now - open[0].acceptedAt,
    };
  };

  readonly byHour = async (): Promise<readonly HourCounts[]> => {
    const now = this.#clock.now();
    const hours = new Map<number, HourCounts>();
    const count = (time: number, what: 'handled' | 'failed'): void => {
      const at = hourOf(time);
      const counts = hours.get(at) ?? { at, handled: 0, failed: 0 };
      hours.set(at, { ...counts, [what]: counts[what] + 1 });
    };
    for (const { handledAt, failures } of [...this.#events.values()].slice(-MAX_COUNTED_EVENTS)) {
      if (handledAt !== null) count(handledAt, 'handled');
      for (const { at } of failures) count(at, 'failed');
    }
    return everyHour(now, [...hours.values()]);
  };

  readonly list = async (
    filter: EventFilter,
    { after, limit, newestFirst = false }: ListRequest,
  ): Promise<Page<EventRecord>> => {
    const now = this.#now();
    const chosen = this.#chosen(filter);
    const start = cursorNumber(after) ?? (newestFirst ? Infinity : 0);
    const found = newestFirst
      ? chosen.filter(({ sequence }) => sequence < start).toReversed()
      : chosen.filter(({ sequence }) => sequence > start);
    const itemOf = (event: MemoryEvent): EventRecord => eventRecord(event, now);
    return pageOf(found, limit, { itemOf, cursorOf: ({ sequence }) => String(sequence) });
  };

  readonly keys = async (
    source: string,
    owner: string | null,
    { after, limit }: PageRequest,
  ): Promise<Page<KeyRecord>> => {
    const before = cursorNumber(after) ?? Infinity;
    const found = [...this.#jobs.values()]
      .filter((job) => job.source === source && job.key !== null)
      .filter((job) => owner === null || job.owner === owner)
      .filter((job) => firstOf(job) < before)
      .toReversed();
    return pageOf(found, limit, { itemOf: keyRecord, cursorOf: (job) => String(firstOf(job)) });
  };

  readonly body = async (source: string, id: string): Promise<Uint8Array | null> =>
    this.#events.get(nameOf(source, id))?.body ?? null;

  readonly change = async (
    what: Change,
    filter: Omit<EventFilter, 'state'>,
    { dryRun }: { readonly dryRun: boolean },
  ): Promise<number> => {
    const now = this.#now();
    const isKept = ({ keptUntil }: MemoryEvent): boolean => (keptUntil ?? 0) > now.wall;
    const chosen =
      what === 'replay'
        ? this.#chosen({ ...filter, state: 'handled' }).filter(isKept)
        : this.#chosen({ ...filter, state: 'dead' });
    const events = this.#unhandled + chosen.length;
    if (what === 'replay' && !dryRun && events > this.#maxEvents) refuse(this.#bound, events);
    for (const event of dryRun ? [] : chosen) {
      if (what === 'discard') this.#handle(event, now, 0);
      else this.#reopen(event, now.monotonic);
    }
    return chosen.length;
  };

  readonly setPaused = async (name: string, isPaused: boolean): Promise<void> => {
    const { wall, monotonic } = this.#now();
    const since = this.#paused.get(name);
    if (isPaused) this.#paused.set(name, since ?? wall);
    if (isPaused || since === undefined) return;
    this.#paused.delete(name);
    for (const event of this.#events.values()) {
      const { firstFailedAt, source, handler } = event;
      const names = ['*', handler, `${source}/*`, `${source}/${handler}`];
      if (firstFailedAt === null || !names.includes(name)) continue;
      event.firstFailedAt = firstFailedAt + wall - Math.max(since, firstFailedAt);
    }
    for (const { lease } of this.#leased) if (lease !== null) lease.isDueAgain = true;
    for (const job of this.#waiting) if (job.dueAt > monotonic) this.#setDue(job, monotonic);
  };

  readonly paused = async (): Promise<readonly string[]> => [...this.#paused.keys()].toSorted();

  readonly purge = async (olderThan: number): Promise<number> => {
    const { wall } = this.#now();
    let count = 0;
    for (const job of this.#handled) {
      if (job.newest * 1_000 < this.#newest * 1_000 - olderThan) count += this.#forget(job);
    }
    for (const event of this.#events.values()) {
      if (event.keptUntil !== null && event.keptUntil <= wall) this.#dropBody(event);
    }
    return count;
  };

  get #bound(): string {
    return `${this.#maxEvents} unhandled events (maxEvents)`;
  }

  #now(): Moment {
    return { wall: this.#clock.now(), monotonic: this.#clock.monotonic() };
  }

  #jobOf({ source, id, key, owner }: NewEvent): MemoryJob {
    const name = key === null ? `event ${nameOf(source, id)}` : `key ${nameOf(source, key)}`;
    const known = this.#jobs.get(name);
    if (known !== undefined) return known;
    const job: MemoryJob = {
      name,
      source,
      key,
      owner,
      events: [],
      unhandled: 0,
      dueAt: Infinity,
      lease: null,
      lastToken: 0,
      settledBy: null,
      newest: 0,
    };
    this.#jobs.set(name, job);
    return job;
  }

  #held({ job, token }: Lease): MemoryJob | null {
    const found = this.#jobs.get(job);
    return found?.lease?.token === token ? found : null;
  }

  #chosen(filter: EventFilter): readonly MemoryEvent[] {
    return [...this.#events.values()].filter((event) => isChosen(event, filter));
  }

  /** Sets when a job is due. During a lease it counts from the release. */
  #setDue(job: MemoryJob, dueAt: number): void {
    job.dueAt = dueAt;
    if (job.lease !== null || dueAt === Infinity) this.#waiting.delete(job);
    else this.#waiting.add(job);
  }

  /** Frees jobs whose lease has expired, and jobs of this holder that it does not handle. */
  #freeLost({ holder, inHand }: TakeRequest, now: number): void {
    for (const job of this.#leased) {
      const { lease } = job;
      if (lease === null) continue;
      const isOwn = lease.holder === holder;
      if (isOwn ? inHand.includes(job.name) : lease.until > now) continue;
      const event = job.events.find(({ id, state }) => id === lease.begun && state === 'open');
      if (!isOwn && event !== undefined) {
        event.crashes += 1;
        event.retryAt = now;
      }
      this.#release(job, now);
    }
  }

  #release(job: MemoryJob, dueAt: number): void {
    job.lease = null;
    this.#leased.delete(job);
    this.#setDue(job, dueAt);
    if (job.unhandled === 0) this.#handled.add(job);
    this.#forgetAbove();
  }

  #nextIn(holder: string, now: number): number | null {
    let next = Infinity;
    for (const { dueAt } of this.#waiting) next = Math.min(next, dueAt);
    for (const { lease } of this.#leased) {
      if (lease !== null && lease.holder !== holder) next = Math.min(next, lease.until);
    }
    return next === Infinity ? null : Math.max(next - now, 0);
  }

  #begin(job: MemoryJob, id: string): Uint8Array | null {
    const event = this.#events.get(nameOf(job.source, id));
    if (job.lease === null || event?.job !== job || event.state !== 'open') return null;
    job.lease.begun = id;
    return event.body;
  }

  #apply(job: MemoryJob, outcome: Outcome, now: Moment): void {
    const event = this.#events.get(nameOf(job.source, outcome.id));
    if (event?.job !== job || event.state !== 'open') return;
    if (outcome.as === 'handled') {
      if (outcome.settlesJob) job.settledBy = event.id;
      event.crashes = 0;
      return this.#handle(event, now, outcome.keepBodyFor);
    }
    if (outcome.attempt !== null) addFailure(event, outcome.attempt, now.wall);
    if (outcome.as === 'failed') {
      event.crashes = 0;
      event.retryAt = now.monotonic + outcome.dueIn;
    } else {
      Object.assign(event, { state: 'dead', reason: outcome.reason, error: outcome.error });
    }
  }

  #handle(event: MemoryEvent, { wall }: Moment, keepBodyFor: number): void {
    Object.assign(event, { state: 'handled', reason: null, handledAt: wall });
    this.#unhandled -= 1;
    event.job.unhandled -= 1;
    if (keepBodyFor > 0) event.keptUntil = wall + keepBodyFor;
    else this.#dropBody(event);
    if (event.job.unhandled === 0 && event.job.lease === null) this.#handled.add(event.job);
    this.#forgetAbove();
  }

  /** Opens a dead letter or a handled event again. */
  #reopen(event: MemoryEvent, now: number): void {
    const { job } = event;
    if (event.state === 'handled') {
      this.#unhandled += 1;
      job.unhandled += 1;
      this.#handled.delete(job);
      if (job.settledBy === event.id) job.settledBy = null;
      event.isReplay = true;
    }
    Object.assign(event, { state: 'open', reason: null, attempts: 0, crashes: 0, retryAt: now });
    Object.assign(event, { firstFailedAt: null, handledAt: null, keptUntil: null });
    if (job.lease === null) this.#setDue(job, now);
    else job.lease.isDueAgain = true;
  }

  #requireRoom(bytes: number): void {
    // Kept bodies end before their time where the room is needed.
    for (const event of this.#bytes + bytes > MAX_BYTES ? this.#events.values() : []) {
      if (event.keptUntil !== null) this.#dropBody(event);
    }
    const [events, all] = [this.#unhandled + 1, this.#bytes + bytes];
    if (events > this.#maxEvents) refuse(this.#bound, events);
    if (all > MAX_BYTES) refuse(`${MAX_BYTES} bytes of unhandled events`, all);
    this.#bytes = all;
  }

  #dropBody(event: MemoryEvent): void {
    this.#bytes -= event.body?.length ?? 0;
    Object.assign(event, { body: null, keptUntil: null });
  }

  #forgetAbove(): void {
    for (const job of this.#handled) {
      if (this.#events.size - this.#unhandled <= MAX_HANDLED) return;
      this.#forget(job);
    }
  }

  #forget(job: MemoryJob): number {
    for (const event of job.events) {
      this.#dropBody(event);
      this.#events.delete(nameOf(event.source, event.id));
    }
    this.#handled.delete(job);
    this.#jobs.delete(job.name);
    return job.events.length;
  }
}

function nameOf(source: string, id: string): string {
  return `${source} ${id}`;
}

function addFailure(event: MemoryEvent, attempt: Attempt, at: number): void {
  event.attempts += 1;
  event.firstFailedAt ??= at;
  event.failures = [...event.failures, { ...attempt, at }].slice(-MAX_ATTEMPTS_KEPT);
  event.error = attempt.error;
}

function firstOf({ events: [first] }: MemoryJob): number {
  return first?.sequence ?? 0;
}

function keyRecord({ source, key, owner, events, unhandled }: MemoryJob): KeyRecord {
  const dead = events.filter(({ state }) => state === 'dead').length;
  return {
    source,
    key: key ?? '',
    owner,
    open: unhandled - dead,
    dead,
    handled: events.length - unhandled,
    receivedAt: events[0]?.receivedAt ?? 0,
    events: events.slice(-MAX_JOB_EVENTS).map(({ id, facts }) => ({ id, facts })),
  };
}

function refuse(bound: string, size: number): never {
  throw new StoreError(
    'store_full',
    `The memory store must hold at most ${bound}, got ${size}. ` +
      'Check deadLetters(), or use the SQLite store.',
  );
}
