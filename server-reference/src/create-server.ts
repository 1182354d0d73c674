import { randomBytes } from 'node:crypto';

import { createFaultPlan } from './lab/api-faults/fault-plan.ts';
import { createPathologyPlan } from './lab/delivery-faults/delivery-fault-plan.ts';
import { Sinks } from './lab/sinks/sinks.ts';
import { ASSETS, putAssets } from './lab/world/assets.ts';
import { createWorld } from './lab/world/create-world.ts';
import { createRequestLimits } from './platform/access/rate-limit.ts';
import { createApp } from './platform/app.ts';
import type { Side } from './platform/app.ts';
import { Changes } from './platform/changes.ts';
import type { Clock } from './platform/clock/clock.ts';
import { startReaper } from './platform/files/reaper.ts';
import type { Reaper } from './platform/files/reaper.ts';
import { createHttpServer } from './platform/http/http-server.ts';
import { listen } from './platform/http/listen.ts';
import type { Listening } from './platform/http/listen.ts';
import { requestIds } from './platform/http/request-id.ts';
import type { Logger } from './platform/logger.ts';
import { apiHandlers } from './platform/routes/routes.ts';
import type { Services } from './platform/routes/services.ts';
import { createRunWorker } from './platform/runs/run-worker.ts';
import { RETRY_PROFILES } from './platform/sender/retry.ts';
import { createSender } from './platform/sender/sender.ts';
import { emptyState } from './platform/state/state.ts';
import type { World } from './platform/state/world.ts';
import type { Blobs } from './platform/store/blobs.ts';
import { openFolderBlobs } from './platform/store/folder-blobs.ts';
import { openFolderStore } from './platform/store/folder-store.ts';
import { createMemoryStore } from './platform/store/group-commit.ts';
import { createMemoryBlobs } from './platform/store/memory-blobs.ts';
import { find } from './platform/store/records.ts';
import { seededRandom } from './platform/store/seed.ts';
import type { Store } from './platform/store/store.ts';
import { readServerOptions } from './server-options.ts';
import type { ServerOptions } from './server-options.ts';

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
