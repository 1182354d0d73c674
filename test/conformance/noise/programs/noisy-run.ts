import type { Kind } from './targets.ts';

/** What a run behind noise said, beside the same run without. */
export interface NoisyRun {
  readonly kind: Kind;
  readonly seed: number;
  readonly concurrency: number;
  readonly checks: number;
  readonly passed: number;
  readonly outcome: string;
  readonly suiteErrors: readonly string[];
  readonly failed: number;
  readonly inconclusive: number;
  /** What the run could not put back. */
  readonly leftBehind: readonly string[];
  /** To the API, its storage, the control interface and the receiver. */
  readonly requests: number;
  readonly milliseconds: number;
  /** A sentence for each check whose verdict differs. */
  readonly differences: readonly string[];
}
