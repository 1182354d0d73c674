import type { Side } from '../check-kit/check.ts';
import { KEY_NAMES } from './facts.ts';
import type { FixtureName, KeyName } from './facts.ts';
import { address, fixturesFrom, named, positive, secret } from './values.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { ControlTarget } from '../clients/create-control-client.ts';
import type { ReceiverTarget } from '../clients/create-receiver-client.ts';

/** What a run is to look at, with which keys, and what it may do. At least one side must be selected. */
export interface ConformanceOptions {
  /** Selects the API side. `/v1/…` is appended to it. */
  readonly baseUrl?: string;
  /** `/api/v1/…` is appended to it. Without it the checks of those addresses could not run. */
  readonly appUrl?: string;
  /** The API key of the owner, best a wildcard key. Default: the one of the control interface's world. */
  readonly key?: string;
  /** Keys that the scope and tenant checks need. */
  readonly keys?: Readonly<Partial<Record<Exclude<KeyName, 'main'>, string>>>;
  /** The parsed `fixtures.json`. */
  readonly fixtures?: object;
  readonly control?: { readonly url: string; readonly token: string };
  /** Selects the sender side; needs `control` and `allowWrites`. */
  readonly sender?: boolean;
  /** Selects the receiver side. `secretEncoding` default `utf8`. */
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
  /** Ids of checks, or beginnings of ids. Default all of the selected sides. */
  readonly only?: readonly string[];
  /** For the API and for the receiver, each on its own. Default 5 for one that is not on a loopback address, else unbounded. */
  readonly requestsPerSecond?: number;
  /** Bound of requests to the API. Default 150 when nothing is unlocked, else unbounded. */
  readonly maxRequests?: number;
  /** How long a sender on a real clock may take to retry. Default 30000. */
  readonly retryWindowMilliseconds?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Where unhandled rejections are reported: pass `process`, so that one becomes an error of the suite instead of a crash. */
  readonly rejections?: RejectionSource;
  /** Milliseconds since the epoch; default `Date.now`. */
  readonly now?: () => number;
}

/** A check that just got its verdict. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** Its id. */
  readonly check: string;
  readonly verdict: Verdict;
}

/** The part of `process` that the suite listens to. */
export interface RejectionSource {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
  off(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
}

/** The options, checked, with every default filled in. */
export interface Plan {
  readonly sides: readonly Side[];
  readonly baseUrl: string | null;
  readonly appUrl: string | null;
  readonly keys: Readonly<Partial<Record<KeyName, string>>>;
  readonly fixtures: Readonly<Partial<Record<FixtureName, string>>>;
  readonly control: ControlTarget | null;
  readonly receiver: ReceiverTarget | null;
  readonly allowWrites: boolean;
  readonly allowDeletes: boolean;
  readonly only: readonly string[];
  readonly requestsPerSecond: number | null;
  readonly deliveriesPerSecond: number | null;
  readonly maxRequests: number | null;
  readonly retryWindowMilliseconds: number;
}

/** Checks the options. Throws `TypeError` that says what was expected, what came, and the fix. */
export function planFrom(options: ConformanceOptions): Plan {
  const sides = sidesFrom(options);
  const { allowWrites = false, allowDeletes = false, baseUrl, appUrl } = options;
  const { fixtures, keys } = fixturesFrom(options.fixtures ?? {});
  return {
    sides,
    baseUrl: baseUrl === undefined ? null : address('baseUrl', baseUrl, 'no-query'),
    appUrl: appUrl === undefined ? null : address('appUrl', appUrl, 'no-query'),
    keys: keysFrom(options, keys),
    fixtures,
    control: controlFrom(options),
    receiver: receiverFrom(options),
    allowWrites,
    allowDeletes,
    only: options.only ?? [],
    requestsPerSecond: paceFor(baseUrl, options),
    deliveriesPerSecond: paceFor(options.receiver?.url, options),
    maxRequests:
      options.maxRequests === undefined
        ? requestsFor(allowWrites || allowDeletes)
        : positive('maxRequests', options.maxRequests),
    retryWindowMilliseconds: positive(
      'retryWindowMilliseconds',
      options.retryWindowMilliseconds ?? 30_000,
    ),
  };
}

function sidesFrom({ baseUrl, appUrl, sender, receiver }: ConformanceOptions): Side[] {
  if (appUrl !== undefined && baseUrl === undefined) {
    throw new TypeError('appUrl was given without baseUrl: give both');
  }
  const sides: Side[] = [];
  if (baseUrl !== undefined) sides.push('api');
  if (sender === true) sides.push('sender');
  if (receiver !== undefined) sides.push('receiver');
  if (sides.length > 0) return sides;
  throw new TypeError(
    'nothing to check: give baseUrl (API side), sender: true (sender side) or receiver (receiver side)',
  );
}

/** `key` and `keys` win over those of the fixtures. */
function keysFrom(
  { key, keys = {} }: ConformanceOptions,
  fixtureKeys: Partial<Record<KeyName, string>>,
): Partial<Record<KeyName, string>> {
  const main = key === undefined ? {} : { main: key };
  const all = { ...fixtureKeys, ...named('keys', KEY_NAMES, keys), ...main };
  for (const [name, value] of Object.entries(all)) secret(`key ${name}`, value);
  return all;
}

function controlFrom({ control }: ConformanceOptions): ControlTarget | null {
  if (control === undefined) return null;
  return {
    url: address('control.url', control.url, 'no-query'),
    token: secret('control.token', control.token),
  };
}

function receiverFrom({ receiver }: ConformanceOptions): ReceiverTarget | null {
  if (receiver === undefined) return null;
  const { url, secretEncoding = 'utf8', observerUrl } = receiver;
  return {
    url: address('receiver.url', url, 'query'),
    secret: secret('receiver.secret', receiver.secret),
    secretEncoding,
    observerUrl:
      observerUrl === undefined ? null : address('receiver.observerUrl', observerUrl, 'query'),
  };
}

function paceFor(
  url: string | undefined,
  { requestsPerSecond }: ConformanceOptions,
): number | null {
  if (requestsPerSecond !== undefined) return positive('requestsPerSecond', requestsPerSecond);
  const host = url === undefined ? 'localhost' : new URL(url).hostname;
  return /^(localhost|127\.[0-9.]+|\[::1\])$/.test(host) ? null : 5;
}

function requestsFor(unlocked: boolean): number | null {
  return unlocked ? null : 150;
}
