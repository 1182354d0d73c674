import type { Side } from '@hookproof/conformance';

import type { ReceiverName } from './receivers/start-receiver.ts';

/** One run of the proof. */
export interface Order {
  readonly side: Side;
  /** The receiver under test, on the receiver side. Default: the one of this repository. */
  readonly receiver?: ReceiverName;
  /** Whether the suite reads the receiver's observer. Default true. */
  readonly observed?: boolean;
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
