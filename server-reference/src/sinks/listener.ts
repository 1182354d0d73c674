import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';

/** Where the sinks stand. */
export const SINK_HOST = '127.0.0.1';

/** A port at which requests are taken. */
export interface Listener {
  readonly port: number;
  /** Stops listening and cuts every connection. */
  close(): Promise<void>;
}

/** Opens a free port of this machine; rejects with the error of Node when there is none. */
export async function openListener(handle: RequestListener): Promise<Listener> {
  // Never closing an idle connection: the sender could be about to use it again.
  const server = createServer({ keepAliveTimeout: 0 }, handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: SINK_HOST, port: 0 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
