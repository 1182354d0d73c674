import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

import type { ResponseScript } from './delivery.ts';
import { ListenerPath } from './listener.ts';
import type { Listener, ListenerSetting } from './listener.ts';

/** Where the listeners of a run are, and under which URL a target finds them. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for a free port. */
  readonly port: number;
  /** The URL of a tunnel or proxy in front of the listener server, without a trailing slash; null for its own address. */
  readonly publicUrl: string | null;
  /** Certificate and private key as PEM; null for plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

/** Loopback and a free port. */
export const LOOPBACK: ListenAddress = { host: '127.0.0.1', port: 0, publicUrl: null, tls: null };

/** One HTTP server for all listeners of a run: each has a path of its own, which a stranger cannot guess. */
export interface ListenerServer {
  /** The URL that every listener's URL begins with. */
  readonly url: string;
  /** A URL that responds to GET with `token`. Shows whether `url` leads here. */
  readonly probe: { readonly url: string; readonly token: string };
  /** `query` is the end of its URL, with its `?`. Default: none. */
  open(script: ResponseScript, query?: string): Listener;
  close(): Promise<void>;
}

/** Starts the listener server. Rejects with the error of the operating system, such as `EADDRINUSE`. */
export async function openListenerServer(
  { host, port, publicUrl, tls }: ListenAddress,
  setting: ListenerSetting,
): Promise<ListenerServer> {
  const paths = new Map<string, ListenerPath>();
  const token = randomUUID();
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const name = lastSegment(request.url ?? '/');
    const listener = paths.get(name);
    if (listener !== undefined) {
      listener.accept(request, response).catch(() => request.socket.destroy());
      return;
    }
    request.resume();
    if (name === token) response.writeHead(200, { 'content-type': 'text/plain' }).end(token);
    else response.writeHead(NAME.test(name) ? 410 : 404).end();
  };
  const server = tls === null ? createServer(handle) : createTlsServer(tls, handle);
  await listen(server, host, port);
  const url = publicUrl ?? ownUrl(server, host, tls === null ? 'http' : 'https');
  return {
    url,
    probe: { url: `${url}/${token}`, token },
    open(script, query = '') {
      const name = randomUUID();
      const listener = new ListenerPath(`${url}/${name}${query}`, script, setting, () =>
        paths.delete(name),
      );
      paths.set(name, listener);
      return listener;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** As `randomUUID` writes it. A sender that still has such a path shall end its deliveries. */
const NAME = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * A proxy may have put its own path before the name, or have removed it. Anyone can ask for anything here, such as `//`,
 * which is no URL.
 */
function lastSegment(target: string): string {
  const [path = ''] = target.split(/[?#]/, 1);
  return path.slice(path.lastIndexOf('/') + 1);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

function ownUrl(server: Server, host: string, scheme: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
