import { randomBytes } from 'node:crypto';

import { CONTROL_PREFIX } from './lab/control/control-interface.ts';
import { Lab } from './lab/lab.ts';
import { ASSETS, putAssets } from './lab/world/assets.ts';
import { createWorld } from './lab/world/create-world.ts';
import type { Clock } from './platform/clock/clock.ts';
import { Platform } from './platform/platform.ts';
import { RETRY_PROFILES } from './platform/sender/retry.ts';
import { emptyState } from './platform/state/state.ts';
import type { DeepReadonly } from './platform/state/read-only.ts';
import type { World } from './platform/state/world.ts';
import { openStorage } from './platform/store/open-storage.ts';
import { find } from './platform/store/records.ts';
import { seededRandom } from './platform/store/seed.ts';
import type { Store } from './platform/store/store.ts';
import { readServerOptions } from './server-options.ts';
import type { ServerOptions } from './server-options.ts';

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
  /** The seeded world: API keys and the ids of the fixtures. */
  readonly world: DeepReadonly<World>;
  readonly clock: Clock;
  /** Stops the server and releases the data folder. Afterwards nothing keeps the process alive. */
  close(): Promise<void>;
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
export async function createServer(options: ServerOptions): Promise<ReferenceServer> {
  const {
    store: place,
    clock,
    seed,
    retryProfile,
    rateLimit,
    ...rest
  } = readServerOptions(options);
  const { host, port, appPort, logger, ...settings } = rest;
  const initial = emptyState(seed, `hpc_${randomBytes(24).toString('hex')}`);
  const { store, blobs } = await openStorage(place, initial, logger);
  const random = seededRandom(store.state.ids.seed);
  const lab = new Lab({ store, clock, random, host, logger });
  const platform = new Platform({
    store,
    blobs,
    clock,
    retryProfile: RETRY_PROFILES[retryProfile],
    rateLimit,
    settings,
    logger,
    host,
    port,
    appPort,
    interceptor: lab.interceptor,
  });
  const close = async (): Promise<void> => {
    await platform.close();
    await lab.close();
  };
  try {
    await putAssets(blobs);
    const world = await defaultWorld(store, clock);
    const { baseUrl, appUrl } = await platform.listen({
      keptBytes: [...ASSETS.keys()],
      middleware: (side) => lab.requestMiddleware(platform.services, side),
    });
    const controlToken = store.state.controlToken;
    return {
      baseUrl,
      appUrl,
      controlUrl: baseUrl + CONTROL_PREFIX,
      controlToken,
      world,
      clock,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Reuses the world of a data folder, so that its keys stay valid after a restart. */
async function defaultWorld(store: Store, clock: Clock): Promise<DeepReadonly<World>> {
  const existing = find(store.state.worlds, store.state.defaultWorldId ?? '');
  if (existing !== undefined) return existing;
  return store.commit((state) => {
    const world = createWorld(state, clock.now());
    state.defaultWorldId = world.id;
    return world;
  });
}
