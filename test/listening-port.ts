import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

import { onTestFinished } from 'vitest';

/** Lets a server listen on 127.0.0.1 until the test ends, on a free port by default, which is returned. */
export async function listeningPort(server: Server, wanted = 0): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await once(server.listen(wanted, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  // It listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo;
  return port;
}
