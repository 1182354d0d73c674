import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

/**
 * Returns a port of 127.0.0.1 that refuses connections until the test ends. A connection has it, so that nothing else
 * begins to listen there.
 */
export async function refusingPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = connect(port, '127.0.0.1');
  await once(connection, 'connect');
  onTestFinished(() => {
    connection.destroy();
    server.close();
  });
  return connection.localPort ?? 0;
}
