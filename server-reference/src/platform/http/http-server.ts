import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { badRequest, ROOT } from './api-error.ts';
import type { ApiError } from './api-error.ts';
import { REQUEST_ID_HEADER } from './request.ts';
import type { NewRequestId } from './request.ts';

/** What Koa's `callback()` returns. */
type AppCallback = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/**
 * A server that leaves every answer to the app, as far as Node lets it, and gives those of Node itself
 * the form of the app's.
 *
 * @param newRequestId - for what is answered before there is a request
 */
export function createHttpServer(app: AppCallback, newRequestId: NewRequestId): Server {
  const handle: RequestListener = (request, response) => void app(request, response);
  // The app looks at the Host header itself, and answers with the envelope.
  const server = createServer({ requireHostHeader: false }, handle);
  // Without these two Node would answer, or invite a body that nobody wants, before the app is asked.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  respondToConnectionErrors(server, newRequestId);
  return server;
}

/** What Node's parser refuses, by its error code, in words for the caller. */
const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the request line and headers together are larger than 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/**
 * Answers with the envelope where Node would answer by itself, or just hang up: what its parser
 * refuses, requests that stall, and CONNECT.
 */
export function respondToConnectionErrors(server: Server, newRequestId: NewRequestId): void {
  const lastResponses = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    lastResponses.set(request.socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const refuse = (): void => void socket.end(rawResponse(malformed(error.code), newRequestId()));
    const last = lastResponses.get(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else if (last === undefined || last.writableFinished) refuse();
    // The request before is whole and gets its own answer first; this one is about what came after.
    else if (last.req.complete) last.once('finish', refuse);
    else if (last.headersSent) socket.destroy();
    else refuse();
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // The peer may hang up first; nobody is left to be told.
    socket.on('error', () => socket.destroy());
    // Node has let go of this socket: what is left open here would keep the server from closing.
    const refusal = badRequest('malformed_request', ROOT, 'this server is not a proxy');
    const answer = rawResponse(refusal, newRequestId());
    socket.resume().end(answer, () => socket.destroy());
  });
}

function malformed(code: string | undefined): ApiError {
  const reason = REASONS[code ?? ''] ?? 'the bytes are not a well-formed HTTP/1.1 request';
  return badRequest('malformed_request', ROOT, reason);
}

/** An error as the bytes of a whole HTTP answer, for a connection that has no request to answer. */
export function rawResponse(error: ApiError, requestId: string): string {
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
