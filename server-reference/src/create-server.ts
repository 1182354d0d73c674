import { randomBytes } from 'node:crypto';

import { CONTROL_PREFIX, DASHBOARD_PREFIX } from './lab/prefixes.ts';
import { ASSETS } from './lab/world/assets.ts';
import type { Clock } from './clock/clock.ts';
import type { DeepReadonly } from './store/read-only.ts';
import type { World } from './store/world.ts';
import { openServer } from './open-server.ts';
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
  /** The dashboard, with the token in the fragment, which a browser does not send. */
  readonly dashboardUrl: string;
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
  const opened = await openServer(options, `hpc_${randomBytes(24).toString('hex')}`);
  const { lab, platform, world, clock, close } = opened;
  try {
    const { baseUrl, appUrl } = await platform.listen({
      keptBytes: [...ASSETS.keys()],
      middleware: (side) => lab.requestMiddleware(platform.services, side),
    });
    const { controlToken } = platform.services.store.state;
    return {
      baseUrl,
      appUrl,
      controlUrl: baseUrl + CONTROL_PREFIX,
      controlToken,
      dashboardUrl: `${baseUrl}${DASHBOARD_PREFIX}/#${controlToken}`,
      world,
      clock,
      close,
    };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}
