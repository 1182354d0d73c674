import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';

/** A listening HTTP server. */
export interface Listening {
  /** `http://host:port`, without a trailing slash. */
  readonly origin: string;
  readonly port: number;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

interface ListenOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
}

/** Starts a server at an address. Rejects with Node's error when the address is unavailable. */
export async function listen(server: Server, { host, port }: ListenOptions): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });

  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    origin: `http://${isIPv6(host) ? `[${host}]` : host}:${bound}`,
    port: bound,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
