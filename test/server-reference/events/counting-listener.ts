import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createSecureServer, Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

import { listeningPort } from '../../listening-port.ts';
import { selfSigned } from './self-signed.ts';

/** An endpoint that counts its connections. */
export interface CountingListener {
  readonly url: string;
  /** The number of connections. */
  readonly sockets: readonly Socket[];
  /** The connection of each request. */
  readonly came: readonly number[];
}

/** Starts an endpoint over HTTP, for one test. */
export function listenOn(handle: RequestListener): Promise<CountingListener> {
  return listen((request) => createServer({ keepAliveTimeout: 0 }, request), handle);
}

/** Starts an endpoint over HTTPS whose certificate no authority has signed, for one test. */
export function listenSecurely(handle: RequestListener): Promise<CountingListener> {
  return listen((request) => createSecureServer(selfSigned(), request), handle);
}

async function listen(
  create: (request: RequestListener) => Server,
  handle: RequestListener,
): Promise<CountingListener> {
  const sockets: Socket[] = [];
  const came: number[] = [];
  const server = create((request, response) => {
    came.push(sockets.indexOf(request.socket));
    request.resume().on('end', () => handle(request, response));
  });
  const isSecure = server instanceof SecureServer;
  server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => sockets.push(socket));
  const port = await listeningPort(server);
  return { url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`, sockets, came };
}
