import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A target that stands before `hookproof serve` and breaks one rule while `isBroken`. */
export interface BrokenProxy {
  readonly baseUrl: string;
  /** While true, the inbox responds 200 instead of 401 to a request without a key: `api.key-required.inbox` fails. */
  isBroken: boolean;
  stop(): Promise<void>;
  /** Listens again, at the same port. */
  start(): Promise<void>;
}

export const BROKEN_CHECK = 'api.key-required.inbox';
/** A check of the same kind that passes. */
export const SOUND_CHECK = 'api.key-required.templates';

export async function startBrokenProxy(target: string): Promise<BrokenProxy> {
  const server = createServer((incoming, outgoing) => pass(incoming, outgoing));
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const proxy: BrokenProxy = {
    baseUrl: `http://127.0.0.1:${port}`,
    isBroken: true,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
    start: () => listen(port),
  };
  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, headers, url } = incoming;
    const sent = request(new URL(url ?? '/', target), { method, headers }, (response) => {
      const { statusCode = 502 } = response;
      const isChanged =
        proxy.isBroken && statusCode === 401 && url?.startsWith('/v1/dataset-review-requests');
      outgoing.writeHead(isChanged === true ? 200 : statusCode, response.headers);
      response.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  }
  return proxy;
}
