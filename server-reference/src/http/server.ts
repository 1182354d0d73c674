import { existsSync, readFileSync } from 'node:fs';
import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { ROOT, refusal } from '../errors.ts';
import type { ApiError } from '../errors.ts';
import { REQUEST_ID_HEADER } from './request.ts';
import type { NewRequestId } from './request.ts';

/** What Koa's `callback()` returns. */
type AppCallback = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

const MAX_CONNECTIONS = 10_000;

/**
 * Returns the number of file descriptors that this process can open. A port takes at most a quarter of them as
 * connections: a download needs a second one, and the store, the sender and the log need the rest. Only Linux tells.
 */
function maxDescriptors(): number {
  if (!existsSync('/proc/self/limits')) return Infinity;
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return Number(/^Max open files\s+(\d+)\s/m.exec(limits)?.[1] ?? Infinity);
}

/** Many HTTP clients keep an unused connection for a minute. The server must not close it first. */
const KEEP_ALIVE_MILLISECONDS = 65_000;

/** How often Node looks for requests that did not arrive in time. By default they last up to 30 s longer. */
const CHECK_MILLISECONDS = 1_000;

/**
 * Creates an HTTP server that passes every request to the app. Errors that Node reports before the app
 * runs get the same envelope as errors of the app. The requests of one connection are handled one at a time:
 * the next when the response before it is sent, so that a client that reads nothing costs one response.
 *
 * @param newRequestId - used for responses to malformed requests
 */
export function createHttpServer(app: AppCallback, newRequestId: NewRequestId): Server {
  const lastResponses: LastResponses = new WeakMap();
  const handle: RequestListener = (request, response) => {
    const { socket } = request;
    const previous = lastResponses.get(socket);
    lastResponses.set(socket, response);
    if (previous === undefined || previous.writableFinished) void app(request, response);
    else previous.once('close', () => socket.destroyed || void app(request, response));
  };
  // The app checks the Host header itself, to respond with the envelope.
  const options = {
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    connectionsCheckingInterval: CHECK_MILLISECONDS,
  };
  const server = createServer(options, handle);
  // Without these listeners Node would respond, or ask for a body, before the app has checked the request.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.maxConnections = Math.min(MAX_CONNECTIONS, Math.floor(maxDescriptors() / 4));
  respondToConnectionErrors(server, newRequestId, lastResponses);
  return server;
}

/** The response to the last request of each connection. */
type LastResponses = WeakMap<Duplex, ServerResponse>;

/** How long a client without traffic may take to read the last response of a connection. */
const LINGER_MILLISECONDS = 1000;

/** Messages for the error codes of Node's parser. */
const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the request line and headers together are larger than 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/**
 * Responds with the envelope to malformed requests, stalled requests and CONNECT. By default Node would send
 * its own response or close the connection.
 */
export function respondToConnectionErrors(
  server: Server,
  newRequestId: NewRequestId,
  lastResponses: LastResponses,
): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const refuse = (): void => {
      socket.end(rawResponse(malformed(error.code), newRequestId()));
      // A client that stays would keep the half-closed connection and its descriptor.
      if (socket instanceof Socket) socket.setTimeout(LINGER_MILLISECONDS, () => socket.destroy());
    };
    const last = lastResponses.get(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else if (last === undefined || last.writableFinished) refuse();
    // The previous request is complete and gets its response first.
    else if (last.req.complete) last.once('finish', refuse);
    else if (last.headersSent) socket.destroy();
    else refuse();
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // The client may disconnect first.
    socket.on('error', () => socket.destroy());
    // Node no longer tracks this socket. If it stayed open, the server could not close.
    const error = refusal('malformed_request', ROOT, 'this server is not a proxy');
    const response = rawResponse(error, newRequestId());
    socket.resume().end(response, () => socket.destroy());
  });
}

function malformed(code: string | undefined): ApiError {
  const reason = REASONS[code ?? ''] ?? 'the request is not valid HTTP/1.1';
  return refusal('malformed_request', ROOT, reason);
}

/** Returns an error as a complete HTTP response, for a connection without a request object. */
function rawResponse(error: ApiError, requestId: string): string {
  const body = JSON.stringify(error.envelope(requestId));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
