import { MAX_WINDOW_SECONDS } from './platform/access/rate-limit.ts';
import type { RateLimit } from './platform/access/rate-limit.ts';
import { realClock } from './platform/clock/clock.ts';
import type { Clock } from './platform/clock/clock.ts';
import { consoleLogger } from './platform/logger.ts';
import type { Logger } from './platform/logger.ts';
import { RETRY_PROFILES } from './platform/sender/retry.ts';
import type { RetryProfileName } from './platform/sender/retry.ts';

/** What a reference server can be told; everything but `store` has a default. */
export interface ServerOptions {
  /**
   * Where the state is kept: `memory` forgets it with the process, `folder` keeps it in a folder that
   * one server at a time may use and that is made when it is missing.
   */
  readonly store: { readonly kind: 'memory' } | { readonly kind: 'folder'; readonly path: string };
  /** TCP port, 0 to 65535. Default 0, which takes a free one. */
  readonly port?: number;
  /**
   * TCP port of the app address, 0 to 65535: then `/api/v1` stands there alone, and everything else on
   * `port` alone. Default null: one port for both.
   */
  readonly appPort?: number | null;
  /** Address to listen at. Default `127.0.0.1`: nobody but this machine. */
  readonly host?: string;
  /** Default the real clock. With a virtual one, time stands still until it is advanced. */
  readonly clock?: Clock;
  /** What ids and keys of a new state follow from, a whole number from 0. Default 1. */
  readonly seed?: number;
  /** How fast failed deliveries are tried again: `real`, `fast` or `instant`. Default `fast`. */
  readonly retryProfile?: RetryProfileName;
  /** The most bytes of a request body. Default 1048576 (1 MiB). */
  readonly bodyLimitBytes?: number;
  /** The most bytes of one uploaded file. Default 5368709120 (5 GiB). */
  readonly uploadLimitBytes?: number;
  /**
   * Downloads and exports above so many bytes are redirected to a signed address of the storage.
   * Default null: all are streamed.
   */
  readonly redirectAboveBytes?: number | null;
  /** How long such an address, or one to upload to, is good for. Default 300. */
  readonly signedUrlSeconds?: number;
  /**
   * How many requests a key may make (1 or more) in a window of so many seconds (1 to 86400), which
   * begins with its first request. Default null: as many as it likes.
   */
  readonly rateLimit?: RateLimit | null;
  /** Default: warnings and errors on standard error. */
  readonly logger?: Logger;
}

/** Fills in the defaults; a value outside its range is a `TypeError`. */
export function readServerOptions(options: ServerOptions): Required<ServerOptions> {
  const store = options.store;
  if (store.kind === 'folder' && store.path === '') {
    throw new TypeError('store.path must name a folder, but it is empty');
  }
  return {
    store,
    port: wholeNumber('port', options.port ?? 0, 65_535),
    appPort: readAppPort(options),
    host: options.host ?? '127.0.0.1',
    clock: options.clock ?? realClock(),
    seed: wholeNumber('seed', options.seed ?? 1, Number.MAX_SAFE_INTEGER),
    retryProfile: knownProfile(options.retryProfile ?? 'fast'),
    bodyLimitBytes: wholeNumber(
      'bodyLimitBytes',
      options.bodyLimitBytes ?? 1_048_576,
      Number.MAX_SAFE_INTEGER,
    ),
    uploadLimitBytes: wholeNumber(
      'uploadLimitBytes',
      options.uploadLimitBytes ?? 5_368_709_120,
      Number.MAX_SAFE_INTEGER,
    ),
    redirectAboveBytes:
      options.redirectAboveBytes == null
        ? null
        : wholeNumber('redirectAboveBytes', options.redirectAboveBytes, Number.MAX_SAFE_INTEGER),
    signedUrlSeconds: wholeNumber('signedUrlSeconds', options.signedUrlSeconds ?? 300, 86_400),
    rateLimit: options.rateLimit == null ? null : readRateLimit(options.rateLimit),
    logger: options.logger ?? consoleLogger,
  };
}

function readAppPort({ port = 0, appPort = null }: ServerOptions): number | null {
  if (appPort === null) return null;
  if (appPort !== 0 && appPort === port) {
    throw new TypeError(`appPort must differ from port, or be left out to share it: ${port}`);
  }
  return wholeNumber('appPort', appPort, 65_535);
}

function readRateLimit({ requests, windowSeconds }: RateLimit): RateLimit {
  return {
    requests: wholeNumber('rateLimit.requests', requests, Number.MAX_SAFE_INTEGER, 1),
    windowSeconds: wholeNumber('rateLimit.windowSeconds', windowSeconds, MAX_WINDOW_SECONDS, 1),
  };
}

function knownProfile(name: RetryProfileName): RetryProfileName {
  if (Object.hasOwn(RETRY_PROFILES, name)) return name;
  const known = Object.keys(RETRY_PROFILES).join(', ');
  throw new TypeError(`retryProfile must be one of ${known}, but is ${name}`);
}

function wholeNumber(name: string, value: number, most: number, least = 0): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new TypeError(
    `${name} must be a whole number from ${least} to ${most}, but is ${String(value)}`,
  );
}
