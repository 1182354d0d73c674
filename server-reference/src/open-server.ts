import { Lab } from './lab/lab.ts';
import { putAssets } from './lab/world/assets.ts';
import { createWorld } from './lab/world/create-world.ts';
import type { Clock } from './clock/clock.ts';
import { closeAll } from './close-all.ts';
import type { Closable } from './close-all.ts';
import { createHostRule } from './http/request.ts';
import { Platform } from './platform.ts';
import { RETRY_PROFILES } from './events/retry.ts';
import { emptyState } from './store/state.ts';
import type { DeepReadonly } from './store/read-only.ts';
import type { World } from './store/world.ts';
import { openStorage } from './store/open-storage.ts';
import { seededRandom } from './store/seed.ts';
import type { Store } from './store/store.ts';
import { readServerOptions } from './server-options.ts';
import type { ServerOptions } from './server-options.ts';

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
    historyLimit,
    clock,
    logger,
    onActivity,
    host,
    allowedHosts,
    port,
    appPort,
    retryProfile,
    rateLimit,
    deliveryInterceptor,
    ...settings
  } = readServerOptions(options);
  const initial = emptyState(seed, controlToken, historyLimit);
  const { store, blobs } = await openStorage(place, initial);
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
      interceptor: (order, next) =>
        lab.deliveries.intercept(order, (changed) =>
          deliveryInterceptor === undefined ? next(changed) : deliveryInterceptor(changed, next),
        ),
    });
    lab.attach(platform.services.sender);
    opened.push(platform, lab.deliveries);
    platform.start();
    await putAssets(blobs);
    const world = await defaultWorld(store, clock);
    initial.startedAt = clock.now();
    return { store, lab, platform, world, clock, close };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** Reuses the world of a data folder, so that its keys stay valid after a restart. */
async function defaultWorld(store: Store, clock: Clock): Promise<DeepReadonly<World>> {
  const existing = store.state.worlds.get(store.state.defaultWorldId ?? '');
  if (existing !== undefined) return existing;
  return store.commit((state) => {
    const world = createWorld(state, clock.now());
    state.defaultWorldId = world.id;
    return world;
  });
}
