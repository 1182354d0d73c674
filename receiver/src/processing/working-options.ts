import { numbersIn, optionalFunction } from '../argument-checks.ts';
import { usableClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Problem } from '../problems.ts';
import { holderName } from '../stores/holder.ts';
import type { Store } from '../stores/store.ts';
import type { SourceWork } from '../worker/source-work.ts';
import type { WorkerSettings } from '../worker/worker-settings.ts';

/** The options of every receiver and processor. */
export interface WorkingOptions<Tx = unknown> {
  /**
   * Where accepted events are kept: `sqliteStore()`, `postgresStore()` or `memoryStore()`. The
   * receiver opens and closes it.
   */
  readonly store: Store<Tx>;
  /**
   * Called with each problem that the operator should know, at a bounded rate. It never contains a
   * payload. For pino: `({ cause, level, message, ...facts }) => log[level]({ ...facts, err: cause
   * }, message)`. Default: problems are written to the console, with the stack of what was thrown.
   */
  readonly onError?: (problem: Problem) => void;
  /** Maximum number of runs handled at the same time. Default: 16. */
  readonly maxConcurrentRuns?: number;
  /**
   * How long an event is tried, in hours from its first failure. Then it becomes a dead letter. A
   * pause does not count, and a `redrive()` or `replay()` begins anew. 0: the first failure is
   * final. Default: 24.
   */
  readonly retryForHours?: number;
  /**
   * Wait after the first failure, and after the first end of the process during an event. Each
   * further one doubles it, up to an hour. A wait is up to a fifth shorter, so that events which
   * failed together come back apart. Default: 1,000.
   */
  readonly retryDelayMilliseconds?: number;
  /**
   * Maximum time for all handlers of one event. Then `context.signal` aborts and the event counts
   * as failed. A handler that ignores the signal goes on, beside later calls and without counting
   * against `maxConcurrentRuns`. Default: 60,000.
   */
  readonly handlerTimeoutMilliseconds?: number;
  /**
   * How long work stays leased without renewal before another process takes it. Default: 30,000.
   */
  readonly leaseMilliseconds?: number;
  /**
   * Maximum time that `close()` takes: for handlers, and for the store to close. Default: 25,000.
   */
  readonly closeTimeoutMilliseconds?: number;
  /** How often to look for events that other processes accepted. Default: 500. */
  readonly pollMilliseconds?: number;
  /**
   * How long handled events are remembered, to recognize duplicates: until an event arrives that
   * was signed so much later. No clock of the receiver or of the database has a part in it, unless
   * a sender signs no time, such as GitHub: its events count as signed when they arrive. Default:
   * 30.
   */
  readonly retentionDays?: number;
  /**
   * How long the body of a handled event is kept after it was handled, so that it can be replayed.
   * Then it is deleted, at most an hour later while the receiver works or deliveries arrive. At
   * most `retentionDays`. Default: 0, it is deleted when the event is handled.
   */
  readonly keepBodiesDays?: number;
  /**
   * The time and the timers, for instance `virtualClock()` in tests. Default: the clock of the
   * machine.
   */
  readonly clock?: Clock;
}

/** The options, checked once, with every default filled in. */
export interface ProcessorSettings<Tx> {
  readonly worker: Omit<WorkerSettings<Tx>, 'report' | 'pauses' | 'onLook'>;
  readonly onError: ((problem: Problem) => void) | undefined;
  readonly closeTimeoutMilliseconds: number;
  readonly retentionMilliseconds: number;
}

/** The options that are numbers. The doc comments above state the same defaults, for people. */
export const PROCESSOR_NUMBERS = {
  maxConcurrentRuns: { least: 1, default: 16 },
  retryForHours: { least: 0, default: 24, isFraction: true },
  retryDelayMilliseconds: { least: 1, default: 1_000 },
  handlerTimeoutMilliseconds: { least: 1, default: 60_000 },
  leaseMilliseconds: { least: 1, default: 30_000 },
  closeTimeoutMilliseconds: { least: 1, default: 25_000 },
  pollMilliseconds: { least: 1, default: 500 },
  retentionDays: { least: 1, default: 30 },
  keepBodiesDays: { least: 0, default: 0 },
} as const;

/** The names of the options of every receiver and processor beside `store` and `handlers`. */
export const WORKING_OPTIONS: readonly string[] = [
  ...(['onError', 'clock'] as const),
  ...Object.keys(PROCESSOR_NUMBERS),
];

const DAY_MILLISECONDS = 86_400_000;
const HOUR_MILLISECONDS = 3_600_000;

/** @throws {TypeError} When an option is invalid; the message names the option. */
export function workingSettings<Tx>(
  options: WorkingOptions<Tx>,
  sources: ReadonlyMap<string, SourceWork<Tx>>,
  { hasSources }: Pick<WorkerSettings<Tx>, 'hasSources'>,
): ProcessorSettings<Tx> {
  const { store } = options;
  const clock = usableClock(options.clock);
  optionalFunction('onError', options.onError);
  if (typeof store?.accept !== 'function') {
    throw new TypeError(
      `store must be a store, got ${store === null ? 'null' : typeof store}. ` +
        (typeof store === 'function'
          ? 'Call it: sqliteStore({ file }) or memoryStore().'
          : 'Use sqliteStore({ file }) or memoryStore().'),
    );
  }
  const { retentionDays, keepBodiesDays, closeTimeoutMilliseconds, ...numbers } = numbersIn(
    PROCESSOR_NUMBERS,
    options,
  );
  const { retryForHours, retryDelayMilliseconds, ...others } = numbers;
  if (keepBodiesDays > retentionDays) {
    throw new TypeError(
      `keepBodiesDays must be at most retentionDays (${retentionDays}), got ${keepBodiesDays}. ` +
        'An event is forgotten with its body: raise retentionDays.',
    );
  }
  return {
    onError: options.onError,
    closeTimeoutMilliseconds,
    retentionMilliseconds: retentionDays * DAY_MILLISECONDS,
    worker: {
      ...others,
      store,
      clock,
      sources,
      hasSources,
      holder: holderName(),
      retry: {
        forMilliseconds: retryForHours * HOUR_MILLISECONDS,
        firstDelayMilliseconds: retryDelayMilliseconds,
        maxDelayMilliseconds: HOUR_MILLISECONDS,
      },
      keepBodiesMilliseconds: keepBodiesDays * DAY_MILLISECONDS,
    },
  };
}
