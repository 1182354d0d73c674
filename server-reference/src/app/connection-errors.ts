import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { ROOT, badRequest } from './api-error.ts';
import type { ApiError } from './api-error.ts';
import { rawAnswer } from './raw-answer.ts';

/** What Node's parser refuses, by its error code, in words for the caller. */
const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the request line and headers together are larger than 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/**
 * Answers with the envelope where Node would answer by itself, or just hang up: what its parser
 * refuses, requests that stall, and CONNECT.
 */
export function answerConnectionErrors(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answers.set(request.socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const answer = answers.get(socket);
    const midAnswer = answer !== undefined && answer.headersSent && !answer.writableFinished;
    if (error.code === 'ECONNRESET' || !socket.writable || midAnswer) socket.destroy();
    else socket.end(rawAnswer(malformed(error.code)));
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // The peer may hang up first; nobody is left to be told.
    socket.on('error', () => socket.destroy());
    socket.end(rawAnswer(badRequest('malformed_request', ROOT, 'this server is not a proxy')));
  });
}

function malformed(code: string | undefined): ApiError {
  const reason = REASONS[code ?? ''] ?? 'the bytes are not a well-formed HTTP/1.1 request';
  return badRequest('malformed_request', ROOT, reason);
}
