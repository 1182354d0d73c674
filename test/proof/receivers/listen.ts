import { once } from 'node:events';
import type { Server } from 'node:http';

import type { RunningReceiver } from './running-receiver.ts';

/** Lets a server listen on a free port: deliveries go to `/hook`, the observer is `/observer`. */
export async function listen(
  server: Server,
  closeReceiver: () => Promise<unknown> = () => Promise.resolve(),
): Promise<RunningReceiver> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const base = `http://127.0.0.1:${address.port}`;
  return {
    url: `${base}/hook`,
    observerUrl: `${base}/observer`,
    async close() {
      server.closeAllConnections();
      server.close();
      await closeReceiver();
    },
  };
}
