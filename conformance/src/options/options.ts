import type { Verdict } from '../verdict/verdict.ts';
import type { Proxies } from '../wire/connections.ts';
import type { StepPerformer } from './step.ts';
import type { KeyName } from './facts.ts';
import type { JournalStore } from './journal-store.ts';

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
  /**
   * Headers of every request to the API, for a gateway in front of it. Reports show variables in place of the values.
   * Not `Authorization`, which carries the API key. Default: none.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The proxies through which the API and its control interface are reached, in the form of the usual variables: URLs,
   * and the hosts without a proxy, separated by commas. Loopback addresses and deliveries never go through one.
   * Default: none.
   */
  readonly proxy?: Proxies;
  /** The parsed `fixtures.json`. */
  readonly fixtures?: object;
  readonly control?: { readonly url: string; readonly token: string };
  /** Selects the sender side; needs `allowWrites`, and `control` or `steps`. Default false. */
  readonly sender?: boolean;
  /**
   * Performs the steps that cause deliveries, when there is no control interface. The checks of the sender then judge
   * what arrived during a few steps. Default: none.
   */
  readonly steps?: StepPerformer;
  /**
   * Where the suite listens for deliveries of the sender. Default: loopback and a free port, without TLS. `tls` has the
   * certificate and the private key as PEM.
   */
  readonly listen?: {
    readonly host?: string;
    readonly port?: number;
    readonly tls?: { readonly cert: string; readonly key: string };
  };
  /** The URL under which the target reaches the listener, such as that of a tunnel. Default: the address of `listen`. */
  readonly publicUrl?: string;
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
  /**
   * The command line that repeats this run, with variables in place of secrets: the report shows it with `--only` beside
   * each failure. Default: a call of `runConformance`.
   */
  readonly command?: string;
  /** Ids of checks, or prefixes of ids. Default: all checks of the selected sides. */
  readonly only?: readonly string[];
  /** Ids of checks, or prefixes of ids, to leave out. Default: none. */
  readonly skip?: readonly string[];
  /**
   * Sends generated requests for this number of seconds in all, an equal share to each operation: as documented, with
   * one thing wrong, and hostile. The same seed generates the same requests. Default: none.
   */
  readonly fuzz?: { readonly seconds: number; readonly seed: number };
  /** For the API and for the receiver, counted separately. Default: unlimited on a loopback address, else 5. */
  readonly requestsPerSecond?: number;
  /**
   * Maximum number of requests to the API. What is sent again after 429, 503 or a lost connection comes on top, up to
   * half as many. Default: 300 for a read-only run without `fuzz`, else unlimited.
   */
  readonly maxRequests?: number;
  /**
   * How many checks run at once on each side: API, sender and receiver. A deployment with all three gets up to three times
   * as many. From 1 to 8, default: 8.
   */
  readonly concurrency?: number;
  /** Draws the order of the checks from this number. Default: the order of the catalogue. */
  readonly orderSeed?: number;
  /** How long a sender on a real clock may take to retry. Default 30000. */
  readonly retryWindowMilliseconds?: number;
  /**
   * Where the run writes how its changes are undone, before it makes them. A run that ends undoes them itself; what a
   * killed process left, `cleanUp` undoes from the store. Default: kept in memory.
   */
  readonly journal?: JournalStore;
  /** Ends the run: it puts back what it changed, and resolves with the outcome `interrupted`. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Gets sentences about what the run waits for and how long, for a terminal or a log. Default: none. */
  readonly onNotice?: (text: string) => void;
  /** Pass `process`, so that an error that no code catches becomes an error of the suite instead of a crash. Default: none. */
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

/** The part of `process` that reports errors that no code catches. */
export interface RejectionSource {
  on(event: UncaughtEvent, listener: (reason: unknown) => void): unknown;
  off(event: UncaughtEvent, listener: (reason: unknown) => void): unknown;
}

type UncaughtEvent = 'unhandledRejection' | 'uncaughtException';
