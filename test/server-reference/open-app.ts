import type { RequestListener } from 'node:http';

import type { ServerOptions } from '@hookproof/server-reference';

import { openServer } from '../../server-reference/src/server.ts';
import type { Handler } from '../../server-reference/src/api/services.ts';
import type { State } from '../../server-reference/src/store/state.ts';
import type { DeepReadonly } from '../../server-reference/src/store/read-only.ts';
import type { World } from '../../server-reference/src/store/world.ts';
import { recordingLogger } from './store/recording-logger.ts';

export interface OpenAppOptions extends Pick<
  ServerOptions,
  | 'allowedHosts'
  | 'corsOrigins'
  | 'bodyLimitBytes'
  | 'clock'
  | 'host'
  | 'logger'
  | 'rateLimit'
  | 'uploadLimitBytes'
> {
  /** Default: memory. */
  readonly store?: ServerOptions['store'];
  /** Changes the state of the new world before the first request. Default: unchanged. */
  readonly arrange?: (state: State, world: DeepReadonly<World>) => void;
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

/** Opens a server with a seeded world, and creates its app. */
export async function openApp({
  arrange,
  handlers = {},
  store: place = { kind: 'memory' },
  ...options
}: OpenAppOptions = {}): Promise<OpenApp> {
  const controlToken = 'hpc_app';
  const given = { uploadLimitBytes: 1_048_576, logger: recordingLogger(), ...options };
  const opened = await openServer({ store: place, ...given }, controlToken);
  const { services, app, close } = opened;
  // The sample data has every fixture.
  const world = opened.world as DeepReadonly<World>;
  if (arrange !== undefined) await services.store.commit((state) => arrange(state, world));
  const handle = app('base', handlers).callback();
  return {
    listener: (request, response) => void handle(request, response),
    controlToken,
    world,
    close,
  };
}
