import { request as beginRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';

import { failed, RESPONSE_CAPTURE_BYTES, withResponse } from './attempt-result.ts';
import type { AttemptResult } from './attempt-result.ts';

/** The maximum number of interim responses (1xx) before the response. One more ends the attempt. */
export const MAX_INTERIM_RESPONSES = 16;

/** Reads a response from the bytes of a connection. */
export interface ResponseReader {
  received(bytes: Buffer): void;
  /** Call it when the connection has ended, or failed with an error. */
  ended(error: Error | null): void;
  /** Stops reading. */
  close(): void;
}

interface ReaderOptions {
  readonly settle: (result: AttemptResult) => void;
  readonly cutOff: (error: string) => void;
  /** Called at the end, with the `Keep-Alive` header of the response. */
  readonly over: (isKept: boolean, announced: string | undefined) => void;
}

/**
 * Reads any response with the parser of `node:http`. The parser belongs to a request of Node, so this begins one on a
 * stream that sends nothing and receives the bytes of the connection.
 */
export function readResponse({ settle, cutOff, over }: ReaderOptions): ResponseReader {
  const stream = new Duplex({ read() {}, write: (_bytes, _encoding, done) => done() });
  const request = beginRequest({ method: 'POST', createConnection: () => stream });
  let announced: string | undefined;
  // Otherwise Node closes a connection that it does not have from an agent.
  request.shouldKeepAlive = true;
  request.on('response', ({ headers }) => (announced = headers['keep-alive']?.toString()));
  request.on('close', () => over(stream.writable, announced));
  awaitResponse(request, settle, cutOff);
  request.end();
  return {
    received: (bytes) => stream.push(bytes),
    ended(error) {
      if (error === null) stream.push(null);
      else stream.destroy(error);
    },
    close: () => request.destroy(),
  };
}

function awaitResponse(
  request: ClientRequest,
  settle: (result: AttemptResult) => void,
  cutOff: (error: string) => void,
): void {
  let response: IncomingMessage | undefined;
  let interimResponses = 0;
  request.on('error', (error) => {
    // An error after a complete response, such as a body after 204, does not invalidate the response.
    if (response?.complete !== true) settle(failed(error));
  });
  request.on('information', () => {
    interimResponses += 1;
    if (interimResponses > MAX_INTERIM_RESPONSES) cutOff('too_many_interim_responses');
  });
  request.on('response', (incoming) => {
    response = incoming;
    capture(incoming, settle);
  });
  request.on('upgrade', (incoming, socket) => {
    socket.destroy();
    settle(withResponse(incoming, null));
  });
}

function capture(response: IncomingMessage, settle: (result: AttemptResult) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (): void => {
    const body =
      size === 0 ? '' : Buffer.concat(chunks).toString('utf8', 0, RESPONSE_CAPTURE_BYTES);
    settle(withResponse(response, body));
  };
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size < RESPONSE_CAPTURE_BYTES) return;
    finish();
    response.destroy();
  });
  response.on('end', finish);
  response.on('error', (error) => settle(failed(error)));
}
