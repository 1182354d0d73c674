import type { TimerHandle } from '../clock.ts';
import { describeThrown } from '../problems.ts';
import type { LeasedWork } from '../stores/store.ts';
import { keepLease } from './keep-lease.ts';
import { processRun } from './process-run.ts';
import { processSingle } from './process-single.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** Handles what the store holds, runs side by side, each run one event after the other. */
export interface Worker {
  /** Looks for work now; also what starts the worker. */
  wake(): void;
  /** Resolves when nothing is being handled and nothing is due. What waits for a time does not count. */
  idle(): Promise<void>;
  /** Ends after the events that are being handled. */
  stop(): Promise<void>;
  /** Waits no longer: leases are not renewed any more. Answers how many are still at work. */
  abandon(): number;
}

export function createWorker(settings: WorkerSettings): Worker {
  const { store, clock } = settings;
  let isStopping = false;
  let isLooking = false;
  let shouldLookAgain = false;
  let handling = 0;
  const held = new Set<() => void>();
  let timer: TimerHandle | null = null;
  let waiting: (() => void)[] = [];

  const mayTake = (): boolean =>
    shouldLookAgain && !isStopping && handling < settings.maxConcurrentRuns;
  const wake = (): void => {
    shouldLookAgain = true;
    if (!isLooking && !isStopping) void look();
  };
  const look = async (): Promise<void> => {
    isLooking = true;
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
    try {
      while (mayTake()) {
        shouldLookAgain = false;
        await takeWork();
      }
      if (!isStopping) await sleep();
    } catch (cause) {
      reportFailure('Work could not be taken from the store', cause);
      shouldLookAgain = false;
      if (!isStopping) timer = clock.setTimeout(wake, settings.pollMilliseconds);
    }
    isLooking = false;
    if (mayTake()) void look();
    else settle();
  };
  const takeWork = async (): Promise<void> => {
    // What ends in this turn frees its place first, so that one look serves all.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (isStopping) return;
    const now = clock.now();
    const limit = settings.maxConcurrentRuns - handling;
    const works = await store.lease({ now, until: now + settings.leaseMilliseconds, limit });
    for (const work of works) void handle(work);
    if (works.length > 0) shouldLookAgain = true;
  };
  const handle = async (work: LeasedWork): Promise<void> => {
    handling += 1;
    const letGo = keepLease(work.lease, settings);
    held.add(letGo);
    try {
      if (work.runId === null) await processSingle(work, settings);
      else await processRun(work, settings, () => isStopping);
    } catch (cause) {
      reportFailure(`Handling of ${work.lease.work} was cut short and begins again later`, cause);
    }
    letGo();
    held.delete(letGo);
    handling -= 1;
    wake();
    settle();
  };
  const sleep = async (): Promise<void> => {
    const now = clock.now();
    const next = await store.nextDue(now);
    if (isStopping) return;
    const delay = Math.min(next === null ? Infinity : next - now, settings.pollMilliseconds);
    timer = clock.setTimeout(wake, Math.max(delay, 1));
  };
  const settle = (): void => {
    const isIdle = handling === 0 && !isLooking && (!shouldLookAgain || isStopping);
    if (!isIdle) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  const reportFailure = (what: string, cause: unknown): void => {
    const message = `${what}: ${describeThrown(cause)}`;
    settings.report({ code: 'store_unavailable', message, eventId: null, runId: null, cause });
  };
  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      settle();
    });

  return {
    wake,
    idle,
    async stop() {
      isStopping = true;
      if (timer !== null) clock.clearTimeout(timer);
      timer = null;
      await idle();
    },
    abandon() {
      for (const letGo of held) letGo();
      return handling;
    },
  };
}
