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
  readonly world: DeepReadonly<World>;
  readonly clock: Clock;
  /** Stops everything; nothing is left that would keep the process alive. */
  close(): Promise<void>;
}

/**
 * Starts a reference server on this machine and resolves when it answers.
 *
 * @throws {TypeError} for an option outside its range
 * @throws {StoreError} when the data folder cannot be had; see its `code`
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

/** A folder that was used before keeps its world, and so its keys. */
async function defaultWorld(store: Store, clock: Clock): Promise<DeepReadonly<World>> {
  const kept = find(store.state.worlds, store.state.defaultWorldId ?? '');
  if (kept !== undefined) return kept;
  return store.commit((state) => {
    const world = createWorld(state, clock.now());
    state.defaultWorldId = world.id;
    return world;
  });
}
