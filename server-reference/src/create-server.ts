import { randomBytes } from 'node:crypto';

import { createApp } from './app/app.ts';
import type { Services } from './app/handler.ts';
import type { Clock } from './clock/clock.ts';
import { listen } from './listen.ts';
import type { Logger } from './logger.ts';
import { apiHandlers } from './routes/routes.ts';
import { createRunWorker } from './runs/run-worker.ts';
import { RETRY_PROFILES } from './sender/backoff.ts';
import { seededRandom } from './sender/seeded-random.ts';
import { createSender } from './sender/sender.ts';
import { readServerOptions } from './server-options.ts';
import type { ServerOptions } from './server-options.ts';
import type { World } from './state/world.ts';
import { createMemoryBlobs } from './store/memory-blobs.ts';
import { openFolderStore } from './store/folder-store.ts';
import { createMemoryStore } from './store/memory-store.ts';
import { find } from './store/find.ts';
import { emptyState } from './store/state.ts';
import type { Store } from './store/store.ts';
import { putAssets } from './world/assets/all-assets.ts';
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
    clock,
    seed,
    retryProfile,
    logger,
    ...settings
  } = readServerOptions(options);
  const store = await openStore(where, seed, logger);
  const sender = createSender({
    store,
    clock,
    random: seededRandom(store.state.ids.seed),
    profile: RETRY_PROFILES[retryProfile],
    logger,
  });
  const runWorker = createRunWorker({ store, clock, sender, logger });
  const stop = async (): Promise<void> => {
    await runWorker.close();
    await sender.close();
    await store.close();
  };
  try {
    const blobs = createMemoryBlobs();
    await putAssets(blobs);
    const world = await defaultWorld(store, clock);
    const services: Services = { store, blobs, clock, sender, runWorker, settings };
    const app = createApp({ ...services, handlers: apiHandlers(services), host, logger });
    const handle = app.callback();
    const listening = await listen((request, response) => void handle(request, response), {
      host,
      port,
    });
    const { origin } = listening;
    return {
      baseUrl: origin,
      appUrl: origin,
      controlUrl: `${origin}/_control`,
      controlToken: store.state.controlToken,
      world,
      clock,
      async close() {
        await listening.close();
        await stop();
      },
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
