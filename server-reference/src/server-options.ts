import { randomInt } from 'node:crypto';
import { inspect } from 'node:util';

import type { EmptyWorld, WorldContents } from '@hookproof/spec/control';

import { MAX_WINDOW_SECONDS } from './api/rate-limit.ts';
import type { RateLimit } from './api/rate-limit.ts';
import type { UploadTransport } from './api/services.ts';
import { realClock } from './clock/clock.ts';
import type { Clock } from './clock/clock.ts';
import type { DeliveryInterceptor } from './events/order.ts';
import { RETRY_PROFILES } from './events/retry.ts';
import type { RetryProfileName } from './events/retry.ts';
import type { Activity } from './lab/activity/feed.ts';
import { readContents } from './lab/control/world-contents.ts';
import { DEFAULT_HISTORY_LIMIT } from './store/state.ts';
import { consoleLogger } from './logger.ts';
import type { Logger } from './logger.ts';

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
   * TCP port of the app address, 0 to 65535. Each port serves the whole API; only `port` serves the control
   * interface. Default null: one port serves both addresses.
   */
  readonly appPort?: number | null;
  /** Address to listen at. Default `127.0.0.1`: reachable only from this machine. */
  readonly host?: string;
  /**
   * More values of the Host header that are served, without a port. Default none: `host` and loopback names
   * only, and where `host` is no loopback address, every address and every name without a dot.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Origins whose pages may call this server, such as `http://localhost:5173`. Default none: browsers refuse calls from
   * pages of other origins.
   */
  readonly corsOrigins?: readonly string[];
  /** Default: the real clock. With a virtual clock, time changes only when it is advanced. */
  readonly clock?: Clock;
  /**
   * Determines the ids, keys and signatures of a new state; an integer from 0. Default 1 in memory, and a
   * random number for a new folder, which keeps it.
   */
  readonly seed?: number;
  /**
   * The number of ended runs that each world retains, 1 to 100000, with their reviews; and five times as many settled
   * deliveries with their events, and events without a delivery. The oldest are deleted in batches, so each number can
   * be exceeded by a tenth of the option. Default 1000.
   */
  readonly historyLimit?: number;
  /**
   * What the main tenant of the first world has: `empty`, or contents in the shapes of the API, such as
   * `{ reviewRequests: 250 }`. Everything in them has a default. Default: the sample data. A folder keeps its world.
   */
  readonly world?: WorldContents | EmptyWorld | undefined;
  /** How fast failed deliveries are retried: `real`, `fast` or `instant`. Default `fast`. */
  readonly retryProfile?: RetryProfileName;
  /** Maximum size of a request body in bytes. Default 1048576 (1 MiB). */
  readonly bodyLimitBytes?: number;
  /** Maximum size of an uploaded file in bytes. Default 5368709120 (5 GiB). */
  readonly uploadLimitBytes?: number;
  /**
   * How clients are asked to send an upload: `presigned-put` to a signed URL of the storage, `multipart` as a
   * form to the API, or a size in bytes up to which it is `multipart`. Default `presigned-put`.
   */
  readonly uploadTransport?: UploadTransport;
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
  /**
   * Stands between the sender and the network, for a sender that behaves differently. Default: requests and
   * responses pass unchanged.
   */
  readonly deliveryInterceptor?: DeliveryInterceptor | undefined;
  /**
   * Called with each change of runs, deliveries, endpoints, faults and the virtual clock when it is stored, and
   * with each attempt and each request of the API. It must not throw. Default: not called.
   */
  readonly onActivity?: ((activity: Activity) => void) | undefined;
  /** Default: warnings and errors on standard error. */
  readonly logger?: Logger;
}

/**
 * Returns the options with their defaults.
 *
 * @throws {TypeError} for a value outside its range
 */
export function readServerOptions(
  options: ServerOptions,
): Required<Omit<ServerOptions, 'deliveryInterceptor' | 'onActivity' | 'world'>> &
  Pick<ServerOptions, 'deliveryInterceptor' | 'onActivity' | 'world'> {
  refuseMissingOptions(options);
  return {
    store: readStore(options.store),
    port: integerOption('port', options.port ?? 0, 65_535),
    appPort: readAppPort(options),
    host: readBoundHost(options.host ?? '127.0.0.1'),
    allowedHosts: (options.allowedHosts ?? []).map(readHost),
    corsOrigins: (options.corsOrigins ?? []).map(readOrigin),
    clock: options.clock ?? realClock(),
    seed: integerOption('seed', options.seed ?? defaultSeed(options), Number.MAX_SAFE_INTEGER),
    historyLimit: integerOption(
      'historyLimit',
      options.historyLimit ?? DEFAULT_HISTORY_LIMIT,
      100_000,
      1,
    ),
    world: readContents(options.world),
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
    uploadTransport: readTransport(options.uploadTransport ?? 'presigned-put'),
    redirectAboveBytes:
      options.redirectAboveBytes == null
        ? null
        : integerOption('redirectAboveBytes', options.redirectAboveBytes, Number.MAX_SAFE_INTEGER),
    signedUrlSeconds: integerOption('signedUrlSeconds', options.signedUrlSeconds ?? 300, 86_400),
    rateLimit: options.rateLimit == null ? null : readRateLimit(options.rateLimit),
    deliveryInterceptor: options.deliveryInterceptor,
    onActivity: options.onActivity,
    logger: options.logger ?? consoleLogger,
  };
}

/** A state in memory is repeatable. A folder lives longer, so its keys must not be guessable. */
function defaultSeed({ store }: ServerOptions): number {
  return store.kind === 'memory' ? 1 : randomInt(2 ** 48 - 1);
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

function readBoundHost(host: string): string {
  if (/^[a-z0-9.:_-]+$/i.test(host)) return host;
  throw new TypeError(`host must be a name or an address without a port, got ${inspect(host)}.`);
}

function readOrigin(origin: string): string {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw new TypeError(
    `corsOrigins must contain origins such as http://localhost:5173, got ${inspect(origin)}.`,
  );
}

function readHost(host: string): string {
  if (/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i.test(host)) return host;
  throw new TypeError(
    `allowedHosts must contain names or addresses without a port, got ${inspect(host)}.`,
  );
}

/** Programs without types can pass nothing. */
function refuseMissingOptions(options: unknown): void {
  if (typeof options === 'object' && options !== null) return;
  throw new TypeError(
    `options must be an object with store, such as { store: { kind: 'memory' } }, got ${inspect(options)}.`,
  );
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

function readTransport(transport: UploadTransport): UploadTransport {
  if (transport === 'presigned-put' || transport === 'multipart') return transport;
  if (Number.isSafeInteger(transport) && transport >= 0) return transport;
  throw new TypeError(
    `uploadTransport must be 'presigned-put', 'multipart' or a size in bytes, got ${inspect(transport)}.`,
  );
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
