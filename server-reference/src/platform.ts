import { Reaper } from './api/files/reaper.ts';
import { createRequestLimits } from './api/rate-limit.ts';
import type { RateLimit } from './api/rate-limit.ts';
import { RunWaits } from './api/runs/run-waits.ts';
import { RunWorker } from './api/runs/run-worker.ts';
import type { Services, Settings } from './api/services.ts';
import { createApp } from './app.ts';
import type { AppOptions, RequestMiddleware } from './app.ts';
import type { Clock } from './clock/clock.ts';
import { closeAll } from './close-all.ts';
import type { SenderInterceptor } from './events/order.ts';
import type { RetryProfile } from './events/retry.ts';
import { Sender } from './events/sender.ts';
import { affordableConnections, createConnectionLimit } from './http/connections.ts';
import { listen } from './http/listen.ts';
import type { Listening } from './http/listen.ts';
import { requestIds } from './http/request.ts';
import type { HostRule } from './http/request.ts';
import { createHttpServer } from './http/server.ts';
import type { Logger } from './logger.ts';
import { operationHandlers } from './operations.ts';
import type { Blobs } from './store/blobs.ts';
import { seededRandom } from './store/seed.ts';
import type { Store } from './store/store.ts';
import { recordsOf } from './store/table.ts';

export interface PlatformOptions {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly retryProfile: RetryProfile;
  readonly rateLimit: RateLimit | null;
  readonly settings: Settings;
  readonly logger: Logger;
  /** The address to listen at. */
  readonly host: string;
  readonly servesHost: HostRule;
  /** 0 selects a free port. */
  readonly port: number;
  /** A second port, for the app address; null serves both addresses on `port`. */
  readonly appPort: number | null;
  /** Stands between the sender and the network. Default none. */
  readonly interceptor?: SenderInterceptor | undefined;
}

/** A port: that of the base address, which may serve both addresses, or a separate one of the app. */
export type Side = 'base' | 'app';

export interface ListenOptions {
  /** Hashes of bytes that are kept even if no record refers to them. Default none. */
  readonly keptBytes?: Iterable<string>;
  /** Returns extra middleware for a port. Default none. */
  readonly middleware?: (side: Side) => RequestMiddleware;
}

/** The parts of an app. */
interface AppParts extends Pick<AppOptions, 'newRequestId' | 'middleware'> {
  /** Replaces handlers, by operationId. Default none. */
  readonly handlers?: AppOptions['handlers'];
}

/** The base URLs of a platform. No trailing slash. */
export interface Addresses {
  readonly baseUrl: string;
  readonly appUrl: string;
}

/** Implements the contract: API, runs and sender on one store. {@link Platform.close} closes the store. */
export class Platform {
  readonly services: Services;
  readonly #options: PlatformOptions;
  readonly #runWaits: RunWaits;
  readonly #runWorker: RunWorker;
  readonly #ownPorts: Set<number>;
  readonly #listening: Listening[] = [];
  #reaper: Reaper | undefined;

  constructor(options: PlatformOptions) {
    const { store, blobs, clock, logger, settings, port, appPort, retryProfile } = options;
    this.#options = options;
    // Deliveries may be due before the server listens, so the configured ports are protected at once.
    this.#ownPorts = new Set([port, appPort ?? 0].filter((each) => each !== 0));
    const sender = new Sender({
      store,
      clock,
      random: seededRandom(store.state.ids.seed),
      profile: retryProfile,
      ownPorts: this.#ownPorts,
      logger,
      interceptor: options.interceptor,
    });
    this.#runWaits = new RunWaits(clock);
    this.#runWorker = new RunWorker({ store, clock, sender, waits: this.#runWaits, logger });
    store.onRecovery(() => {
      const { runs, deliveries, grouped } = store.state;
      for (const run of runs.values()) this.#runWorker.take(run);
      sender.enqueue(recordsOf(grouped.pendingDeliveries.all(), deliveries));
    });
    this.services = {
      store,
      blobs,
      clock,
      sender,
      runWorker: this.#runWorker,
      runWaits: this.#runWaits,
      limits: createRequestLimits(options.rateLimit),
      ownPorts: this.#ownPorts,
      settings,
    };
  }

  /**
   * Starts the sender and the run worker. Both continue with the pending work in the store. If it throws,
   * call {@link Platform.close}.
   */
  start(): void {
    this.services.sender.start();
    this.#runWorker.start();
  }

  /** Creates the app of one port, which {@link Platform.listen} serves. */
  app({ handlers = {}, ...parts }: AppParts): ReturnType<typeof createApp> {
    const { servesHost, logger } = this.#options;
    const all = { ...operationHandlers(this.services), ...handlers };
    return createApp({ services: this.services, handlers: all, servesHost, logger, ...parts });
  }

  /** Starts to serve the API and to remove expired files. */
  async listen({ keptBytes = [], middleware }: ListenOptions = {}): Promise<Addresses> {
    const { store, blobs, clock, logger, port, appPort } = this.#options;
    this.#reaper = new Reaper({ store, blobs, clock, logger, kept: new Set(keptBytes) });
    this.#reaper.start();
    const newRequestId = requestIds(store.state.ids.seed, clock.now());
    const connections = createConnectionLimit(affordableConnections());
    const serve = async (side: Side, at: number): Promise<string> => {
      const handle = this.app({ newRequestId, middleware: middleware?.(side) }).callback();
      const server = createHttpServer(handle, newRequestId, connections);
      const listener = await listen(server, { host: this.#options.host, port: at });
      this.#listening.push(listener);
      this.#ownPorts.add(listener.port);
      return listener.origin;
    };
    const baseUrl = await serve('base', port);
    const appUrl = appPort === null ? baseUrl : await serve('app', appPort);
    return { baseUrl, appUrl };
  }

  /** Stops all parts, the store last. Afterwards nothing keeps the process alive. */
  async close(): Promise<void> {
    const { sender, store } = this.services;
    const begun = this.#reaper === undefined ? [] : [this.#reaper];
    await closeAll([this.#runWaits, ...this.#listening, this.#runWorker, sender, ...begun, store]);
  }
}
