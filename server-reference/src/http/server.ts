import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { ROOT, refusal } from '../errors.ts';
import { REQUEST_ID_HEADER } from './request.ts';
import type { NewRequestId } from './request.ts';

/** What Koa's `callback()` returns. */
type AppCallback = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** Many HTTP clients keep an unused connection for a minute. The server must not close it first. */
const KEEP_ALIVE_MILLISECONDS = 65_000;

/**
 * Creates an HTTP server that passes every request to the app. What Node cannot read gets the same envelope as errors of
 * the app.
 *
 * @param newRequestId - used for responses to malformed requests
 */
export function createHttpServer(app: AppCallback, newRequestId: NewRequestId): Server {
  const options = {
    // The app checks the Host header itself, to respond with the envelope.
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
  };
  const server = createServer(options, (request, response) => void app(request, response));
  refuseMalformed(server, newRequestId);
  return server;
}

/** How long a client may take to read the response before its connection is closed. */
const LINGER_MILLISECONDS = 1000;

/** Messages for the error codes of Node's parser. */
const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the request line and headers together are larger than 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/** Responds with the envelope to malformed and stalled requests. */
export function refuseMalformed(server: Server, newRequestId: NewRequestId): void {
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Duplex) => {
    if (code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const requestId = newRequestId();
    const reason = REASONS[code] ?? 'the request is not valid HTTP/1.1';
    const error = refusal('malformed_request', ROOT, reason);
    const body = JSON.stringify(error.envelope(requestId));
    const lines = [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `${REQUEST_ID_HEADER}: ${requestId}`,
      'Connection: close',
      '',
      body,
    ];
    socket.end(lines.join('\r\n'));
    // A client that stays would keep the half-closed connection and its descriptor.
    if (socket instanceof Socket) socket.setTimeout(LINGER_MILLISECONDS, () => socket.destroy());
  });
}
