import { randomBytes } from 'node:crypto';

import type { ControlOperations } from '@hookproof/spec/control';
import type Koa from 'koa';

import { deleteExpired, fileHashes } from './api/files/file-hashes.ts';
import { createRequestLimits } from './api/rate-limit.ts';
import { RunWaits } from './companions/runs/run-waits.ts';
import { RunWorker } from './api/runs/run-worker.ts';
import type { Handler, Services } from './api/services.ts';
import { createApp } from './app.ts';
import type { Clock } from './clock/clock.ts';
import { RETRY_PROFILES } from './events/retry.ts';
import { Sender } from './events/sender.ts';
import { listen } from './http/listen.ts';
import type { Listening } from './http/listen.ts';
import { ApiError } from './errors.ts';
import { createHostRule, requestIds } from './http/request.ts';
import { createHttpServer } from './http/server.ts';
import { controlClientOf } from './lab/control/control-client.ts';
import { CONTROL_PREFIX } from './lab/control/control-interface.ts';
import { DASHBOARD_PREFIX } from './lab/dashboard/dashboard.ts';
import { Lab } from './lab/lab.ts';
import type { Side } from './lab/lab.ts';
import { ASSET_PATHS, putAssets } from './lab/world/assets.ts';
import { createWorld } from './lab/world/create-world.ts';
import { operationHandlers } from './operations.ts';
import { readServerOptions } from './server-options.ts';
import type { ServerOptions } from './server-options.ts';
import { openStorage } from './store/open-storage.ts';
import type { DeepReadonly } from './store/read-only.ts';
import { seededRandom } from './store/seed.ts';
import { emptyState } from './store/state.ts';
import type { Store } from './store/store.ts';
import type { World, WorldRecord } from './store/world.ts';

/** A running server: its URLs, its tokens and its seeded world. */
export interface ReferenceServer {
  /** The base of the paths `/v1/…`. No trailing slash. */
  readonly baseUrl: string;
  /** The base of the paths `/api/v1/…`. No trailing slash. */
  readonly appUrl: string;
  /** The base of the control interface. No trailing slash. */
  readonly controlUrl: string;
  /** The bearer token of the control interface, which accepts no API key. */
  readonly controlToken: string;
  /**
   * The control interface as typed methods, one for each operation: `server.control.createWorld({ world: 'empty' })`.
   * A refused call rejects with a `ControlError`.
   */
  readonly control: ControlOperations;
  /** The dashboard, with the token in the fragment, which a browser does not send. */
  readonly dashboardUrl: string;
  /** The seeded world: API keys and the ids of the fixtures. */
  readonly world: DeepReadonly<World>;
  readonly clock: Clock;
  /** Stops the server and releases the data folder. Afterwards nothing keeps the process alive. */
  close(): Promise<void>;
}

/** A running server whose world has the contents of the option `world`. */
export interface SeededServer extends Omit<ReferenceServer, 'world'> {
  /** The world: API keys, and as fixtures the first of each kind. */
  readonly world: DeepReadonly<WorldRecord>;
}

/**
 * Starts a reference server on this machine. Resolves when it accepts requests.
 *
 * @throws {TypeError} for an option outside its range
 * @throws {StoreError} when the data folder is unavailable; see its `code`
 * @example
 * ```ts
 * import { createServer, virtualClock } from '@hookproof/server-reference';
 *
 * const server = await createServer({
 *   store: { kind: 'memory' },
 *   clock: virtualClock({ now: Date.parse('2026-07-01T12:00:00Z') }),
 * });
 * console.log(server.baseUrl, server.world.id);
 * await server.close();
 * ```
 */
export function createServer(
  options: ServerOptions & { readonly world: NonNullable<ServerOptions['world']> },
): Promise<SeededServer>;
export function createServer(options: ServerOptions): Promise<ReferenceServer>;
export async function createServer(options: ServerOptions): Promise<SeededServer> {
  const { services, world, listen: serve, close } = await openServer(options);
  try {
    const { baseUrl, appUrl } = await serve();
    const { controlToken } = services.store.state;
    const controlUrl = baseUrl + CONTROL_PREFIX;
    return {
      baseUrl,
      appUrl,
      controlUrl,
      controlToken,
      control: controlClientOf({ controlUrl, controlToken }),
      dashboardUrl: `${baseUrl}${DASHBOARD_PREFIX}/#${controlToken}`,
      world,
      clock: services.clock,
      close,
    };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** A server without an address: its sender and its runs are at work. */
export interface OpenedServer {
  readonly services: Services;
  readonly world: DeepReadonly<WorldRecord>;
  /**
   * Creates the app of a port.
   *
   * @param handlers - replace those of the operations, by operationId
   */
  readonly app: (side: Side, handlers?: Readonly<Record<string, Handler>>) => Koa;
  /** Serves the ports of the options. */
  readonly listen: () => Promise<{ readonly baseUrl: string; readonly appUrl: string }>;
  /** Stops all parts and releases the data folder. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the storage, joins the parts of a server on it and starts them.
 *
 * @param controlToken - for a storage without a state
 * @throws {TypeError} for an option outside its range
 * @throws {StoreError} when the data folder is unavailable
 */
export async function openServer(
  options: ServerOptions,
  controlToken = `hpc_${randomBytes(24).toString('hex')}`,
): Promise<OpenedServer> {
  const {
    store: place,
    seed,
    historyLimit,
    clock,
    logger,
    onActivity,
    host,
    allowedHosts,
    corsOrigins: origins,
    port,
    appPort,
    retryProfile,
    world: contents,
    rateLimit,
    deliveryInterceptor = (order, next) => next(order),
    ...settings
  } = readServerOptions(options);

  const initial = emptyState(seed, controlToken, historyLimit);
  const { store: stored, blobs } = await openStorage(place, initial, ASSET_PATHS);
  const random = seededRandom(stored.state.ids.seed);
  const servesHost = createHostRule(host, allowedHosts);
  const corsOrigins = new Set(origins);
  // Deliveries may be due before the server listens, so the configured ports are protected at once.
  const ownPorts = new Set([port, appPort ?? 0].filter((each) => each !== 0));

  const lab = new Lab({
    store: stored,
    clock,
    random,
    servesHost,
    corsOrigins,
    logger,
    onActivity,
  });
  const { store } = lab;
  const sender = new Sender({
    store,
    clock,
    random,
    profile: RETRY_PROFILES[retryProfile],
    ownPorts,
    logger,
    onChange: lab.announce,
    interceptor: (order, next) =>
      lab.deliveries.intercept(order, (changed) => deliveryInterceptor(changed, next)),
  });
  lab.attach(sender);
  const runWaits = new RunWaits(clock);
  const runWorker = new RunWorker({ store, clock, sender, waits: runWaits, logger });
  const limits = createRequestLimits(rateLimit);
  const services: Services = {
    store,
    blobs,
    clock,
    sender,
    runWorker,
    runWaits,
    limits,
    ownPorts,
    settings,
  };
  const ports: Listening[] = [];
  const close = (): Promise<void> => closeAll([runWaits, ...ports, runWorker, sender, lab, store]);

  try {
    await store.commit((state) => deleteExpired(state, clock.now()));
    await blobs.check(fileHashes(store.state));
    await putAssets(blobs);
    sender.start();
    runWorker.start();
    const world = await defaultWorld(store, clock, contents);
    initial.startedAt = clock.now();

    const newRequestId = requestIds(store.state.ids.seed, clock.now());
    const operations = operationHandlers(services);
    const app: OpenedServer['app'] = (side, handlers = {}) =>
      createApp({
        services,
        handlers: { ...operations, ...handlers },
        newRequestId,
        servesHost,
        corsOrigins,
        logger,
        middleware: lab.requestMiddleware(services, side),
      });
    const serve = async (side: Side, at: number): Promise<string> => {
      const server = createHttpServer(app(side).callback(), newRequestId);
      const listening = await listen(server, { host, port: at });
      ports.push(listening);
      ownPorts.add(listening.port);
      return listening.origin;
    };
    return {
      services,
      world,
      app,
      async listen() {
        const baseUrl = await serve('base', port);
        return { baseUrl, appUrl: appPort === null ? baseUrl : await serve('app', appPort) };
      },
      close,
    };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** Reuses the world of a data folder, so that its keys stay valid after a restart. */
async function defaultWorld(
  store: Store,
  clock: Clock,
  contents: ServerOptions['world'],
): Promise<DeepReadonly<WorldRecord>> {
  const existing = store.state.worlds.get(store.state.defaultWorldId ?? '');
  if (existing !== undefined) return existing;
  try {
    return await store.commit((state) => {
      const world = createWorld(state, clock.now(), { world: contents });
      state.defaultWorldId = world.id;
      return world;
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [{ field, message } = { field: 'world', message: 'is invalid' }] = error.issues;
    throw new TypeError(`${field} ${message}.`, { cause: error });
  }
}

/**
 * Closes parts one after another. A failure does not keep the later ones open.
 *
 * @throws the first error, when all are closed
 */
async function closeAll(parts: readonly { close(): Promise<void> | void }[]): Promise<void> {
  const errors: unknown[] = [];
  for (const part of parts) {
    try {
      await part.close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
