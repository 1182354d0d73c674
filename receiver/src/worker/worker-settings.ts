import type { RunEvent, RunSnapshot } from '../generated/run-events.ts';

import type { Clock } from '../clock.ts';
import type { ReportProblem } from '../problems.ts';
import type { Store } from '../stores/store.ts';
import type { Handlers } from './handlers.ts';
import type { OrderSettings, RetryPolicy } from './next-event.ts';

/** Reads the current state of a run; `event` is the one being handled. */
export type FetchRun = (runId: string, event: RunEvent) => Promise<RunSnapshot>;

/** Everything that handling needs, with every default filled in. */
export interface WorkerSettings extends OrderSettings {
  readonly store: Store;
  readonly clock: Clock;
  readonly handlers: Handlers;
  readonly retry: RetryPolicy;
  readonly maxConcurrentRuns: number;
  readonly leaseMilliseconds: number;
  readonly pollMilliseconds: number;
  readonly fetchRun: FetchRun | undefined;
  readonly report: ReportProblem;
}
