import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { onTestFinished } from 'vitest';

export interface CutProxy {
  /** The base URL. No trailing slash. */
  readonly origin: string;
  /** Ends all connections, and every new one. */
  cut(): void;
  /** Lets new connections through again. */
  mend(): void;
}

/** Stands between a browser and a server, and can cut their connections. */
export async function startCutProxy(target: string): Promise<CutProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    cut();
    proxy.close();
  });
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut,
    mend() {
      isCut = false;
    },
  };
}
