import { Lab } from './lab/lab.ts';
import { putAssets } from './lab/world/assets.ts';
import { createWorld } from './lab/world/create-world.ts';
import { LARGE } from './lab/world/large-world.ts';
import type { Clock } from './platform/clock/clock.ts';
import { closeAll } from './platform/close-all.ts';
import type { Closable } from './platform/close-all.ts';
import { createHostRule } from './platform/http/request.ts';
import { Platform } from './platform/platform.ts';
import { RETRY_PROFILES } from './platform/sender/retry.ts';
import { emptyState } from './platform/state/state.ts';
import type { DeepReadonly } from './platform/state/read-only.ts';
import type { World } from './platform/state/world.ts';
import { openStorage } from './platform/store/open-storage.ts';
import { seededRandom } from './platform/store/seed.ts';
import type { Store } from './platform/store/store.ts';
import { readServerOptions } from './server-options.ts';
import type { ServerOptions, WorldSize } from './server-options.ts';

/** A server without an address: its sender and its runs are at work. */
export interface OpenedServer {
  readonly store: Store;
  readonly lab: Lab;
  readonly platform: Platform;
  readonly world: DeepReadonly<World>;
  readonly clock: Clock;
  /** Stops all parts and releases the data folder. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the storage and joins the parts of a server on it.
 *
 * @param controlToken - for a storage without a state
 * @throws {TypeError} for an option outside its range
 * @throws {StoreError} when the data folder is unavailable
 */
export async function openServer(
  options: ServerOptions,
  controlToken: string,
): Promise<OpenedServer> {
  const {
    store: place,
    seed,
    world: size,
    clock,
    logger,
    onActivity,
    host,
    allowedHosts,
    port,
    appPort,
    retryProfile,
    rateLimit,
    aroundDelivery,
    ...settings
  } = readServerOptions(options);
  const initial = emptyState(seed, controlToken);
  const { store, blobs } = await openStorage(place, initial, logger);
  const opened: Closable[] = [store];
  const close = (): Promise<void> => closeAll(opened.toReversed());
  try {
    const random = seededRandom(store.state.ids.seed);
    const servesHost = createHostRule(host, allowedHosts);
    const lab = new Lab({ store, clock, random, servesHost, logger, onActivity });
    opened.push(lab);
    const platform = new Platform({
      store: lab.store,
      blobs,
      clock,
      retryProfile: RETRY_PROFILES[retryProfile],
      rateLimit,
      settings,
      logger,
      host,
      servesHost,
      port,
      appPort,
      interceptor: lab.interceptor,
      aroundDelivery,
    });
    opened.push(platform);
    platform.start();
    await putAssets(blobs);
    const world = await defaultWorld(store, clock, size);
    // Not that of a folder with a state: its drawn ids are counted on, so that none is repeated.
    initial.startedAt = clock.now();
    return { store, lab, platform, world, clock, close };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** Reuses the world of a data folder, so that its keys stay valid after a restart. */
async function defaultWorld(
  store: Store,
  clock: Clock,
  size: WorldSize,
): Promise<DeepReadonly<World>> {
  const existing = store.state.worlds.get(store.state.defaultWorldId ?? '');
  if (existing !== undefined) return existing;
  return store.commit((state) => {
    const additions = size === 'large' ? LARGE : undefined;
    const world = createWorld(state, clock.now(), { additions });
    state.defaultWorldId = world.id;
    return world;
  });
}
