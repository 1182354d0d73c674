import type { RequestListener } from 'node:http';

import { realClock } from '@hookproof/server-reference';
import type { ServerOptions } from '@hookproof/server-reference';

import { Lab } from '../../server-reference/src/lab/lab.ts';
import { putAssets } from '../../server-reference/src/lab/world/assets.ts';
import { createWorld } from '../../server-reference/src/lab/world/create-world.ts';
import { createApp } from '../../server-reference/src/platform/app.ts';
import { requestIds } from '../../server-reference/src/platform/http/request.ts';
import { Platform } from '../../server-reference/src/platform/platform.ts';
import { apiHandlers } from '../../server-reference/src/platform/routes/routes.ts';
import type { Handler } from '../../server-reference/src/platform/routes/services.ts';
import { RETRY_PROFILES } from '../../server-reference/src/platform/sender/retry.ts';
import { emptyState } from '../../server-reference/src/platform/state/state.ts';
import type { DeepReadonly } from '../../server-reference/src/platform/state/read-only.ts';
import type { World } from '../../server-reference/src/platform/state/world.ts';
import { createMemoryStore } from '../../server-reference/src/platform/store/group-commit.ts';
import { createMemoryBlobs } from '../../server-reference/src/platform/store/memory-blobs.ts';
import { seededRandom } from '../../server-reference/src/platform/store/seed.ts';
import { recordingLogger } from './platform/store/recording-logger.ts';

interface OpenAppOptions extends Pick<
  ServerOptions,
  'bodyLimitBytes' | 'clock' | 'host' | 'logger' | 'rateLimit'
> {
  /** Replaces handlers of the API, by operationId. Default: none. */
  readonly handlers?: Readonly<Record<string, Handler>>;
}

/** The app of a server: API and control interface behind one listener, without an address. */
export interface OpenApp {
  readonly listener: RequestListener;
  readonly controlToken: string;
  readonly world: DeepReadonly<World>;
  close(): Promise<void>;
}

/** Creates an app from the parts of the server, over a memory store with a seeded world. */
export async function openApp(options: OpenAppOptions = {}): Promise<OpenApp> {
  const { clock = realClock(), logger = recordingLogger(), host = '127.0.0.1' } = options;
  const controlToken = 'hpc_app';
  const store = createMemoryStore(emptyState(1, controlToken));
  const blobs = createMemoryBlobs();
  const lab = new Lab({ store, clock, random: seededRandom(1), host, logger });
  const platform = new Platform({
    store,
    blobs,
    clock,
    retryProfile: RETRY_PROFILES.fast,
    rateLimit: options.rateLimit ?? null,
    settings: {
      bodyLimitBytes: options.bodyLimitBytes ?? 1_048_576,
      uploadLimitBytes: 1_048_576,
      redirectAboveBytes: null,
      signedUrlSeconds: 300,
    },
    logger,
    host,
    port: 0,
    appPort: null,
    interceptor: lab.interceptor,
  });
  await putAssets(blobs);
  const world = await store.commit((state) => {
    const created = createWorld(state, clock.now());
    state.defaultWorldId = created.id;
    return created;
  });
  const app = createApp({
    services: platform.services,
    handlers: { ...apiHandlers(platform.services), ...options.handlers },
    side: 'both',
    newRequestId: requestIds(1, clock.now()),
    logger,
    middleware: lab.requestMiddleware(platform.services, 'both'),
  });
  const handle = app.callback();
  return {
    listener: (request, response) => void handle(request, response),
    controlToken,
    world,
    async close() {
      await platform.close();
      await lab.close();
    },
  };
}
