import type { Clock } from '../clock.ts';
import type { FetchRun } from '../fetch-run/fetched-run.ts';
import type { ReportProblem } from '../problems.ts';
import type { Store } from '../stores/store.ts';
import type { Handlers } from './handlers.ts';
import type { OrderSettings, RetryPolicy } from './next-event.ts';

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
