import {
  knownName,
  knownOptions,
  MAX_TIMER_MILLISECONDS,
  pointInTime,
  positiveInteger,
  requireString,
  trueOrFalse,
} from '../argument-checks.ts';
import { within } from '../clock.ts';
import type { Timeline } from '../order/timeline.ts';
import { boundedReport, problemReporter } from '../problems.ts';
import type { ReportProblem } from '../problems.ts';
import { inThisContext } from '../own-context.ts';
import { isStorable } from '../storable.ts';
import { eventFilter, FILTERS } from './event-filter.ts';
import type { DeadLetterFilter, ReplayRequest, WaitingFilter } from './event-filter.ts';
import type { ProcessorSettings } from './working-options.ts';
import { edgesIn, eventsOfRun } from './history.ts';
import { deadLetter, storedEvent, storedRun } from './stored-event.ts';
import type { DeadLetterPage, RunPage, StoredEvent } from './stored-event.ts';
import type {
  AcceptOutcome,
  Change,
  EventFilter,
  HourCounts,
  NewEvent,
  PageRequest,
  Store,
} from '../stores/store.ts';
import { Pauses, pauseName } from '../worker/pauses.ts';
import { Retention } from '../worker/retention.ts';
import type { Walk } from '../worker/source-work.ts';
import { Worker } from '../worker/worker.ts';
import { waitingPage } from './waiting-event.ts';
import type { WaitingPage } from './waiting-event.ts';
import type {
  Processing,
  ProcessorStats,
  ChangeOptions,
  INBOX,
  InboxAccess,
  PageOptions,
  RunFilter,
  RunHistory,
  SourcePause,
  StartOptions,
  WorkOptions,
} from './processing.ts';

/** The stores of all receivers that are started: a store has one host. */
const USED = new WeakSet<object>();

/** Its operations are own properties, so that each can be passed on without its processor. */
export class StoredProcessor<Tx> implements Omit<Processing, typeof INBOX> {
  readonly inbox: InboxAccess;
  readonly sources: readonly string[];
  /** Reports problems of the whole receiver at a bounded rate. */
  readonly #report: ReportProblem;
  readonly #settings: ProcessorSettings<Tx>;
  readonly #store: Store<Tx>;
  readonly #worker: Worker<Tx>;
  readonly #wake: () => void;
  readonly #startWorker: () => void;
  readonly #pauses: Pauses;
  /** That of the source with runs; `null` when no source has any. */
  readonly #walk: Walk | null;
  #opening: Promise<void> | null = null;
  /** How many calls want the worker to run: `start()` for good, each `work()` while it lasts. */
  #workers = 0;
  #closing: Promise<void> | null = null;
  readonly #retention: Retention;

  constructor(settings: ProcessorSettings<Tx>) {
    const { clock, store, sources } = settings.worker;
    this.#settings = settings;
    this.#store = store;
    this.sources = [...sources.keys()];
    this.#walk = [...sources.values()].find(({ walk }) => walk)?.walk ?? null;
    this.#report = boundedReport(problemReporter(settings.onError), clock);
    this.inbox = {
      report: this.#report,
      history: (runId, source) => this.#history(runId, source),
    };
    this.#pauses = new Pauses(store, clock, settings.worker.pollMilliseconds);
    const { retentionMilliseconds } = settings;
    this.#retention = new Retention({ store, clock, report: this.#report, retentionMilliseconds });
    this.#worker = new Worker({
      ...settings.worker,
      report: this.#report,
      pauses: this.#pauses,
      onLook: this.#retention.look,
    });
    // Handlers run in the context of the receiver, not in that of a delivery that woke the worker.
    this.#wake = inThisContext(() => this.#worker.wake());
    this.#startWorker = inThisContext(() => this.#worker.start());
  }

  readonly start = async (options: StartOptions = {}): Promise<void> => {
    knownOptions(options, ['work']);
    const work = trueOrFalse('work', options.work, true);
    if (this.#opening !== null) {
      throw new TypeError('start() must be called once, got a second call.');
    }
    if (this.#closing !== null) throw new TypeError('start() must be called before close().');
    this.#opening = this.#open();
    try {
      await this.#opening;
    } catch (cause) {
      this.#opening = null;
      throw cause;
    }
    if (!work || this.#closing !== null) return;
    this.#checkConnections();
    this.#workers += 1;
    this.#startWorker();
  };

  /** Keeps an event, and wakes the worker. */
  readonly accept = async (event: NewEvent): Promise<AcceptOutcome> => {
    const outcome = await this.#store.accept(event);
    if (outcome === 'new' && event.error === null) this.#wake();
    this.#retention.look();
    return outcome;
  };

  readonly work = async (options: WorkOptions = {}): Promise<void> => {
    knownOptions(options, ['until']);
    const { until } = options;
    const end = until === undefined ? null : pointInTime('until', until);
    if (this.#opening === null || this.#closing !== null) {
      throw new TypeError('work() must be called after start() and before close().');
    }
    await this.#opening;
    this.#workers += 1;
    this.#startWorker();
    const idle = this.#worker.idle();
    const { clock } = this.#settings.worker;
    try {
      if (end === null) await idle;
      else
        await within(idle, Math.min(Math.max(end - clock.now(), 0), MAX_TIMER_MILLISECONDS), clock);
    } finally {
      this.#workers -= 1;
      if (this.#workers === 0) this.#worker.pause();
    }
  };

  readonly idle = (): Promise<void> => this.#worker.idle();

  readonly stats = async (): Promise<ProcessorStats> => {
    const [stats, paused] = await Promise.all([this.#store.stats(), this.#pauses.read()]);
    return { ...stats, paused };
  };

  readonly byHour = (): Promise<readonly HourCounts[]> => this.#store.byHour();

  readonly waiting = async (options: WaitingFilter & PageOptions = {}): Promise<WaitingPage> => {
    knownOptions(options, ['after', 'limit', ...FILTERS.waiting]);
    const { after, limit, ...filter } = options;
    const [chosen, page] = [this.#filter(filter, FILTERS.waiting), pageRequest({ after, limit })];
    await this.#pauses.read();
    if (chosen === null) return { items: [], next: null };
    return waitingPage(this.#store, chosen, page, this.#pauses, this.#walk);
  };

  readonly pause = async (what?: string | SourcePause): Promise<void> => {
    await this.#store.setPaused(this.#pauseName(what), true);
    await this.#pauses.read();
  };

  readonly resume = async (what?: string | SourcePause): Promise<void> => {
    await this.#store.setPaused(this.#pauseName(what), false);
    await this.#pauses.read();
    this.#wake();
  };

  readonly inspect = async (eventId: string, source?: string): Promise<StoredEvent | null> => {
    requireString('eventId', eventId, PASS_EVENT);
    const filter = this.#filter({ ids: [eventId], ...named(source) }, ['ids', 'source']);
    if (filter === null) return null;
    const [record] = (await this.#store.list(filter, { after: null, limit: 1 })).items;
    return record === undefined ? null : storedEvent(record, this.#walk);
  };

  readonly runs = async (page: RunFilter & PageOptions = {}): Promise<RunPage> => {
    knownOptions(page, ['source', 'automationId', 'after', 'limit']);
    const { automationId } = page;
    const source = this.#runSource(page.source);
    if (automationId !== undefined) requireString('automationId', automationId, '');
    const request = pageRequest(page);
    const walk = this.#walk;
    const isNothing = source === null || walk === null || !isStorable(automationId ?? '');
    if (isNothing) return { items: [], next: null };
    const { items, next } = await this.#store.keys(source, automationId ?? null, request);
    return { items: items.map((record) => storedRun(record, walk)), next };
  };

  readonly body = async (eventId: string, source?: string): Promise<Uint8Array | null> => {
    const event = await this.inspect(eventId, source);
    // That of a handled event is kept for replay(), not to be shown.
    if (event === null || event.state === 'handled') return null;
    return this.#store.body(event.source, eventId);
  };

  readonly timeline = async (runId: string, source?: string): Promise<Timeline | null> => {
    requireString('runId', runId, 'Pass the id of a run: event.data.run.id.');
    return (await this.#history(runId, source))?.timeline ?? null;
  };

  readonly deadLetters = async ({
    after,
    limit,
    ...filter
  }: DeadLetterFilter & PageOptions = {}): Promise<DeadLetterPage> => {
    const [chosen, page] = [this.#filter(filter, FILTERS.dead), pageRequest({ after, limit })];
    if (chosen === null) return { items: [], next: null };
    const request = { ...page, newestFirst: true };
    const { items, next } = await this.#store.list({ ...chosen, state: 'dead' }, request);
    return { items: items.map((record) => deadLetter(record, this.#walk)), next };
  };

  readonly redrive = (filter: DeadLetterFilter, options?: ChangeOptions): Promise<number> =>
    this.#change('redrive', () => this.#filter(filter, FILTERS.dead), options);

  readonly replay = (request: ReplayRequest, options?: ChangeOptions): Promise<number> =>
    this.#change('replay', () => this.#filter(request, FILTERS.replay), options);

  readonly discard = (filter: DeadLetterFilter, options?: ChangeOptions): Promise<number> =>
    this.#change('discard', () => this.#filter(filter, FILTERS.dead), options);

  readonly close = (): Promise<void> => {
    this.#closing ??= this.#close(async () => {});
    return this.#closing;
  };

  /** Closes after the requests of a receiver have ended. */
  closeAfter(requests: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#close(requests);
    return this.#closing;
  }

  async #history(runId: string, source: string | undefined): Promise<RunHistory | null> {
    const walk = this.#walk;
    if (walk === null || !isStorable(runId)) return null;
    const records = await eventsOfRun(this.#store, source ?? null, runId, walk);
    if (records.length === 0) return null;
    const events = records.map((record) => storedEvent(record, walk));
    return { events, timeline: walk.resolve(edgesIn(records, walk)) };
  }

  /** @throws {TypeError} When a member has another form. */
  #filter(
    filter: DeadLetterFilter,
    names: readonly (keyof DeadLetterFilter)[],
  ): EventFilter | null {
    const chosen = eventFilter(filter, names);
    if (filter.handler !== undefined) this.#requireHandler(filter.handler, filter.source);
    return chosen;
  }

  /**
   * @throws {TypeError} When a source of the receiver has another name, or a handler is unknown.
   */
  #pauseName(what: string | SourcePause | undefined): string {
    if (typeof what === 'object') knownOptions(what, ['source', 'handler'], 'pause');
    const { source, handler } = typeof what === 'object' ? what : named(undefined, what);
    // A process without `sources` may look at the store of one that has them.
    if (source !== undefined && this.#settings.worker.hasSources) {
      knownName('source', source, this.sources);
    }
    if (handler !== undefined) this.#requireHandler(handler, source);
    return pauseName(source, handler);
  }

  /** @throws {TypeError} When no source has a handler of this name. */
  #requireHandler(handler: unknown, source: string | undefined): void {
    let refused: unknown;
    for (const [name, work] of this.#settings.worker.sources) {
      if (source !== undefined && source !== name) continue;
      try {
        return work.requireHandler(handler);
      } catch (error) {
        refused ??= error;
      }
    }
    if (refused !== undefined) throw refused;
  }

  /** Returns the source whose runs are meant; `null` when there is none. */
  #runSource(source: string | undefined): string | null {
    const { sources } = this.#settings.worker;
    const name = source ?? this.sources.find((each) => sources.get(each)?.walk);
    return name === undefined || sources.get(name)?.walk === null ? null : name;
  }

  async #change(
    what: Change,
    choose: () => EventFilter | null,
    options: ChangeOptions = {},
  ): Promise<number> {
    const filter = choose();
    knownOptions(options, ['dryRun']);
    const dryRun = trueOrFalse('dryRun', options.dryRun, false);
    if (filter === null) return 0;
    const count = await this.#store.change(what, filter, { dryRun });
    if (count > 0 && !dryRun) this.#wake();
    return count;
  }

  async #open(): Promise<void> {
    const { clock } = this.#settings.worker;
    if (USED.has(this.#store)) {
      throw new TypeError(
        'store must belong to one receiver or processor, got that of another one that is started. Create a store for ' +
          'each, with the same file, database or server; or put all handlers into one of them.',
      );
    }
    USED.add(this.#store);
    try {
      await this.#store.open({ clock });
    } catch (cause) {
      USED.delete(this.#store);
      throw cause;
    }
  }

  async #close(requests: () => Promise<void>): Promise<void> {
    const opening = this.#opening;
    if (opening === null) return;
    const { closeTimeoutMilliseconds, worker } = this.#settings;
    const { clock } = worker;
    const end = clock.monotonic() + closeTimeoutMilliseconds;
    const inTime = <Value>(work: Promise<Value>): Promise<{ readonly value: Value } | null> =>
      within(work, Math.max(end - clock.monotonic(), 1), clock);
    const isOpen = await inTime(
      opening.then(
        () => true,
        () => false,
      ),
    );
    // A store that still opens then has nothing to write, and no handler was called.
    if (isOpen?.value !== true) return;
    const finishing = this.#finish(requests);
    const isLate = (await inTime(finishing)) === null;
    if (isLate) {
      const message =
        `close() must finish within ${closeTimeoutMilliseconds} ms, but runs are still being ` +
        `handled: ${this.#worker.abandon().length}. Their unfinished events are handled again when the leases expire. A handler that awaits close() or idle() waits for itself.`;
      this.#report({ code: 'closed_unfinished', message, eventId: null, runId: null });
    }
    const closed = this.#store.close().finally(() => USED.delete(this.#store));
    // After late handlers the store has had no time, so it is not to blame.
    if ((await inTime(closed)) === null && !isLate) {
      const message = `Store must close within ${closeTimeoutMilliseconds} ms, got no result. It may keep the process alive.`;
      this.#report({ code: 'store_unavailable', message, eventId: null, runId: null });
    }
  }

  #checkConnections(): void {
    const { maxConcurrentRuns } = this.#settings.worker;
    const max = this.#store.maxTransactions ?? Infinity;
    if (max >= maxConcurrentRuns) return;
    const message =
      `The pool should have a connection for each handler with context.tx (maxConcurrentRuns, ${maxConcurrentRuns}), ` +
      `got ${max} beside those of the store. Handlers that use context.tx then wait, and deliveries with ` +
      `them. Raise max of the pool by ${maxConcurrentRuns - max}, or lower maxConcurrentRuns.`;
    this.#report({ code: 'pool_small', message, eventId: null, runId: null });
  }

  async #finish(requests: () => Promise<void>): Promise<void> {
    await requests();
    await Promise.all([this.#worker.stop(), this.#retention.stop()]);
  }
}

const PASS_EVENT = 'Pass the id of an event: event.id.';

/** Leaves out what is not given. */
function named(source: string | undefined, handler?: string): SourcePause {
  return {
    ...(source !== undefined && { source }),
    ...(handler !== undefined && { handler }),
  };
}

/** @throws {TypeError} When `limit` is no positive integer. */
function pageRequest({
  after,
  limit,
}: {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}): PageRequest {
  return { after: after ?? null, limit: positiveInteger('limit', limit, 100) };
}
