import type { Clock } from '../clock.ts';
import type { FetchRun } from '../fetch-run/fetched-run.ts';
import type { ReportProblem } from '../problems.ts';
import type { Store } from '../stores/store.ts';
import type { HandlerTable } from './handler-table.ts';
import type { Pauses } from './pauses.ts';
import type { OrderSettings } from './next-event.ts';
import type { RetryPolicy } from './retry.ts';

/** Everything that handling needs, with every default filled in. */
export interface WorkerSettings<Tx> extends OrderSettings {
  readonly store: Store<Tx>;
  readonly clock: Clock;
  readonly handlers: HandlerTable<Tx>;
  readonly retry: RetryPolicy;
  /** The name under which this process leases jobs; unique to it. */
  readonly holder: string;
  readonly maxConcurrentRuns: number;
  readonly leaseMilliseconds: number;
  readonly handlerTimeoutMilliseconds: number;
  readonly pollMilliseconds: number;
  /** How long the body of a handled event is kept; 0: it is deleted. */
  readonly keepBodiesMilliseconds: number;
  readonly pauses: Pauses;
  /** Called each time the worker has looked for work, at least every `pollMilliseconds`. */
  readonly onLook: () => void;
  readonly fetchRun: FetchRun | undefined;
  readonly report: ReportProblem;
}
