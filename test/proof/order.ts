import type { Side } from '@hookproof/conformance';

/** One run of the proof. */
export interface Order {
  readonly side: Side;
  /** Ids of the defects and variants, the one nearest to the suite first. */
  readonly ids: readonly string[];
  /** Ids of checks. Default: all checks of the side. */
  readonly only?: readonly string[];
  readonly seed?: number;
}

/** What the suite said. */
export interface Judged {
  readonly outcome: string;
  readonly exitCode: number;
  readonly suiteErrors: readonly string[];
  readonly checks: readonly {
    readonly id: string;
    readonly verdict: string;
    readonly message: string | null;
  }[];
}
