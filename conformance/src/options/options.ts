import type { Verdict } from '../verdict/verdict.ts';
import type { KeyName } from './facts.ts';

/** The three sides of the contract that a run can judge. */
export const SIDES = ['api', 'sender', 'receiver'] as const;
export type Side = (typeof SIDES)[number];

/** The target of a run, its keys, and what the run may do. At least one side must be selected. */
export interface ConformanceOptions {
  /** Selects the API side. `/v1/…` is appended. */
  readonly baseUrl?: string;
  /** `/api/v1/…` is appended. Without it, checks of these paths could not run. */
  readonly appUrl?: string;
  /** The API key of most checks, preferably a wildcard key. Default: the wildcard key of the control interface's world. */
  readonly key?: string;
  /** Keys for scope and tenant checks. */
  readonly keys?: Readonly<Partial<Record<Exclude<KeyName, 'main'>, string>>>;
  /** The parsed `fixtures.json`. */
  readonly fixtures?: object;
  readonly control?: { readonly url: string; readonly token: string };
  /** Selects the sender side; needs `control` and `allowWrites`. Default false. */
  readonly sender?: boolean;
  /** Selects the receiver side. `secretEncoding` defaults to `utf8`. */
  readonly receiver?: {
    readonly url: string;
    readonly secret: string;
    readonly secretEncoding?: 'utf8' | 'base64';
    readonly observerUrl?: string;
  };
  /** Unlocks POST, PUT and PATCH. Default false. */
  readonly allowWrites?: boolean;
  /** Unlocks DELETE. Default false. */
  readonly allowDeletes?: boolean;
  /** Ids of checks, or prefixes of ids. Default: all checks of the selected sides. */
  readonly only?: readonly string[];
  /** For the API and for the receiver, counted separately. Default: unlimited on a loopback address, else 5. */
  readonly requestsPerSecond?: number;
  /** Maximum number of requests to the API. Default: 150 for a read-only run, else unlimited. */
  readonly maxRequests?: number;
  /** How long a sender on a real clock may take to retry. Default 30000. */
  readonly retryWindowMilliseconds?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Pass `process`, so that an unhandled rejection becomes an error of the suite instead of a crash. Default: none. */
  readonly rejections?: RejectionSource;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/** A check that just got its verdict. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** Id of the check. */
  readonly check: string;
  readonly verdict: Verdict;
}

/** The part of `process` that reports unhandled rejections. */
export interface RejectionSource {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
  off(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
}
