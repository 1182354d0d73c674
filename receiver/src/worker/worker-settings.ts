import type { Clock } from '../clock.ts';
import type { ReportProblem } from '../problems.ts';
import type { Store } from '../stores/store.ts';
import type { Pauses } from './pauses.ts';
import type { RetryPolicy } from './retry.ts';
import type { SourceWork } from './source-work.ts';

/** Everything that handling needs, with every default filled in. */
export interface WorkerSettings<Tx> {
  readonly store: Store<Tx>;
  readonly clock: Clock;
  /** How the events of each source are handled, by its name. */
  readonly sources: ReadonlyMap<string, SourceWork<Tx>>;
  /** True with the option `sources`: problems then say which source they concern. */
  readonly hasSources: boolean;
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
  readonly report: ReportProblem;
}
