import { randomBytes } from 'node:crypto';

import { createApp } from './app/app.ts';
import type { Side } from './app/app.ts';
import type { Services } from './app/handler.ts';
import { createHttpServer } from './app/http-server.ts';
import { requestIds } from './app/request-id.ts';
import { Changes } from './changes.ts';
import type { Clock } from './clock/clock.ts';
import { createFaultPlan } from './faults/fault-plan.ts';
import { createRequestLimits } from './limits/request-limits.ts';
import { startReaper } from './files/reaper.ts';
import type { Reaper } from './files/reaper.ts';
import { createPathologyPlan } from './pathologies/pathology-plan.ts';
import { listen } from './listen.ts';
import type { Listening } from './listen.ts';
import type { Logger } from './logger.ts';
import { apiHandlers } from './routes/routes.ts';
import { createRunWorker } from './runs/run-worker.ts';
import { RETRY_PROFILES } from './sender/backoff.ts';
import { seededRandom } from './sender/seeded-random.ts';
import { createSender } from './sender/sender.ts';
import { Sinks } from './sinks/sinks.ts';
import { readServerOptions } from './server-options.ts';
import type { ServerOptions } from './server-options.ts';
import type { World } from './state/world.ts';
import type { Blobs } from './store/blobs.ts';
import { openFolderBlobs } from './store/folder-blobs.ts';
import { createMemoryBlobs } from './store/memory-blobs.ts';
import { openFolderStore } from './store/folder-store.ts';
import { createMemoryStore } from './store/memory-store.ts';
import { find } from './store/find.ts';
import { emptyState } from './store/state.ts';
import type { Store } from './store/store.ts';
import { ASSETS, putAssets } from './world/assets/all-assets.ts';
import { createWorld } from './world/create-world.ts';

/** A server that runs: where it is, and what opens its doors. */
export interface ReferenceServer {
  /** Paths `/v1/...` are appended to it. No trailing slash. */
  readonly baseUrl: string;
  /** Paths `/api/v1/...` are appended to it. */
  readonly appUrl: string;
  /** The control interface. */
  readonly controlUrl: string;
  /** Its bearer token; an API key does not open it. */
  readonly controlToken: string;
  /** The seeded world: keys, and the ids of everything that a test needs. */
  readonly world: World;
  readonly clock: Clock;
  /** Stops everything; nothing is left that would keep the process alive. */
  close(): Promise<void>;
}

/**
 * Starts a reference server on this machine and resolves when it answers.
 *
 * @throws {TypeError} for an option outside its range
 * @throws {StoreError} when the data folder cannot be had; see its `code`
 */
export async function createServer(options: ServerOptions): Promise<ReferenceServer> {
  const {
    store: where,
    host,
    port,
    appPort,
    clock,
    seed,
    retryProfile,
    rateLimit,
    logger,
    ...settings
  } = readServerOptions(options);
  const store = await openStore(where, seed, logger);
  const random = seededRandom(store.state.ids.seed);
  // Deliveries may be due before the server listens; what it was told to listen at counts from the start.
  const ownPorts = new Set([port, appPort ?? 0].filter((asked) => asked !== 0));
  const changes = new Changes();
  const sinks = new Sinks({ clock, changed: changes.announce });
  const pathologies = createPathologyPlan(changes.announce);
  const sender = createSender({
    store,
    clock,
    random,
    profile: RETRY_PROFILES[retryProfile],
    ownPorts,
    pathologies,
    observer: sinks,
    logger,
  });
  sender.subscribe(changes.announce);
  const runWorker = createRunWorker({ store, clock, sender, logger });
  const listening: Listening[] = [];
  let reaper: Reaper | undefined;
  const stop = async (): Promise<void> => {
    await Promise.all(listening.map((one) => one.close()));
    await runWorker.close();
    await sender.close();
    await sinks.close();
    await reaper?.close();
    await store.close();
  };
  try {
    const blobs = await openBlobs(where);
    await putAssets(blobs);
    const world = await defaultWorld(store, clock);
    reaper = startReaper({ store, blobs, clock, logger, kept: [...ASSETS.keys()] });
    const limits = createRequestLimits(rateLimit);
    const faults = createFaultPlan(random, changes.announce);
    const services: Services = {
      store,
      blobs,
      clock,
      sender,
      runWorker,
      limits,
      faults,
      pathologies,
      sinks,
      changes,
      ownPorts,
      settings,
    };
    const handlers = apiHandlers(services);
    const newRequestId = requestIds(store.state.ids.seed, clock.now());
    const serve = async (side: Side, at: number): Promise<string> => {
      const handle = createApp({
        ...services,
        handlers,
        host,
        side,
        newRequestId,
        logger,
      }).callback();
      const server = createHttpServer(
        (request, response) => void handle(request, response),
        newRequestId,
      );
      const listener = await listen(server, { host, port: at });
      listening.push(listener);
      ownPorts.add(listener.port);
      return listener.origin;
    };
    const origin = await serve(appPort === null ? 'both' : 'base', port);
    const appUrl = appPort === null ? origin : await serve('app', appPort);
    return {
      baseUrl: origin,
      appUrl,
      controlUrl: `${origin}/_control`,
      controlToken: store.state.controlToken,
      world,
      clock,
      close: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openStore(
  where: ServerOptions['store'],
  seed: number,
  logger: Logger,
): Promise<Store> {
  const initial = emptyState(seed, `hpc_${randomBytes(24).toString('hex')}`);
  if (where.kind === 'memory') return createMemoryStore(initial);
  return openFolderStore(where.path, initial, logger);
}

async function openBlobs(where: ServerOptions['store']): Promise<Blobs> {
  return where.kind === 'memory' ? createMemoryBlobs() : openFolderBlobs(where.path);
}

/** A folder that was used before keeps its world, and so its keys. */
async function defaultWorld(store: Store, clock: Clock): Promise<World> {
  const kept = find(store.state.worlds, store.state.defaultWorldId ?? '');
  if (kept !== undefined) return kept;
  return store.commit((state) => {
    const world = createWorld(state, clock.now());
    state.defaultWorldId = world.id;
    return world;
  });
}
