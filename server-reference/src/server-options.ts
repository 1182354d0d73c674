import { inspect } from 'node:util';

import { MAX_WINDOW_SECONDS } from './platform/access/rate-limit.ts';
import type { RateLimit } from './platform/access/rate-limit.ts';
import { realClock } from './platform/clock/clock.ts';
import type { Clock } from './platform/clock/clock.ts';
import { consoleLogger } from './platform/logger.ts';
import type { Logger } from './platform/logger.ts';
import { RETRY_PROFILES } from './platform/sender/retry.ts';
import type { RetryProfileName } from './platform/sender/retry.ts';

/** The options of {@link createServer}. Only `store` is required. */
export interface ServerOptions {
  /**
   * Where the state is stored. `memory` loses it when the process ends. `folder` stores it in a folder,
   * which is created if missing and can be used by one server at a time.
   */
  readonly store: { readonly kind: 'memory' } | { readonly kind: 'folder'; readonly path: string };
  /** TCP port, 0 to 65535. Default 0, which selects a free port. */
  readonly port?: number;
  /**
   * TCP port of the app address, 0 to 65535. If set, this port serves only `/api/v1`, and `port` serves
   * everything else. Default null: one port serves both.
   */
  readonly appPort?: number | null;
  /** Address to listen at. Default `127.0.0.1`: reachable only from this machine. */
  readonly host?: string;
  /** Default: the real clock. With a virtual clock, time changes only when it is advanced. */
  readonly clock?: Clock;
  /** Determines the ids and keys of a new state; an integer from 0. Default 1. */
  readonly seed?: number;
  /** How fast failed deliveries are retried: `real`, `fast` or `instant`. Default `fast`. */
  readonly retryProfile?: RetryProfileName;
  /** Maximum size of a request body in bytes. Default 1048576 (1 MiB). */
  readonly bodyLimitBytes?: number;
  /** Maximum size of an uploaded file in bytes. Default 5368709120 (5 GiB). */
  readonly uploadLimitBytes?: number;
  /**
   * Downloads and exports larger than this number of bytes are redirected to a signed URL of the storage.
   * Default null: all are streamed.
   */
  readonly redirectAboveBytes?: number | null;
  /** Lifetime of signed URLs for downloads and uploads, in seconds, 0 to 86400. Default 300. */
  readonly signedUrlSeconds?: number;
  /**
   * Limits each key to `requests` (1 or more) per window of `windowSeconds` (1 to 86400). A window starts
   * with the first request of the key. Default null: no limit.
   */
  readonly rateLimit?: RateLimit | null;
  /** Default: warnings and errors on standard error. */
  readonly logger?: Logger;
}

/**
 * Returns the options with their defaults.
 *
 * @throws {TypeError} for a value outside its range
 */
export function readServerOptions(options: ServerOptions): Required<ServerOptions> {
  return {
    store: readStore(options.store),
    port: integerOption('port', options.port ?? 0, 65_535),
    appPort: readAppPort(options),
    host: options.host ?? '127.0.0.1',
    clock: options.clock ?? realClock(),
    seed: integerOption('seed', options.seed ?? 1, Number.MAX_SAFE_INTEGER),
    retryProfile: knownProfile(options.retryProfile ?? 'fast'),
    bodyLimitBytes: integerOption(
      'bodyLimitBytes',
      options.bodyLimitBytes ?? 1_048_576,
      Number.MAX_SAFE_INTEGER,
    ),
    uploadLimitBytes: integerOption(
      'uploadLimitBytes',
      options.uploadLimitBytes ?? 5_368_709_120,
      Number.MAX_SAFE_INTEGER,
    ),
    redirectAboveBytes:
      options.redirectAboveBytes == null
        ? null
        : integerOption('redirectAboveBytes', options.redirectAboveBytes, Number.MAX_SAFE_INTEGER),
    signedUrlSeconds: integerOption('signedUrlSeconds', options.signedUrlSeconds ?? 300, 86_400),
    rateLimit: options.rateLimit == null ? null : readRateLimit(options.rateLimit),
    logger: options.logger ?? consoleLogger,
  };
}

/** Programs without types can pass anything. */
function readStore(store: unknown): ServerOptions['store'] {
  if (typeof store !== 'object' || store === null) {
    throw new TypeError(
      `store must be { kind: 'memory' } or { kind: 'folder', path }, got ${inspect(store)}.`,
    );
  }
  const { kind, path }: { kind?: unknown; path?: unknown } = store;
  if (kind === 'memory') return { kind };
  if (kind !== 'folder') {
    throw new TypeError(`store.kind must be 'memory' or 'folder', got ${inspect(kind)}.`);
  }
  if (typeof path === 'string' && path !== '') return { kind, path };
  const received = path === '' ? 'an empty string' : inspect(path);
  throw new TypeError(`store.path must be the path of a folder, got ${received}.`);
}

function readAppPort({ port = 0, appPort = null }: ServerOptions): number | null {
  if (appPort === null) return null;
  if (appPort !== 0 && appPort === port) {
    throw new TypeError(
      `appPort must differ from port, got ${port} for both. Leave appPort out to serve both on one port.`,
    );
  }
  return integerOption('appPort', appPort, 65_535);
}

function readRateLimit({ requests, windowSeconds }: RateLimit): RateLimit {
  return {
    requests: integerOption('rateLimit.requests', requests, Number.MAX_SAFE_INTEGER, 1),
    windowSeconds: integerOption('rateLimit.windowSeconds', windowSeconds, MAX_WINDOW_SECONDS, 1),
  };
}

function knownProfile(name: RetryProfileName): RetryProfileName {
  if (Object.hasOwn(RETRY_PROFILES, name)) return name;
  const known = Object.keys(RETRY_PROFILES).join(', ');
  throw new TypeError(`retryProfile must be one of ${known}, got ${name}.`);
}

function integerOption(name: string, value: number, max: number, min = 0): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new TypeError(`${name} must be an integer from ${min} to ${max}, got ${String(value)}.`);
}
