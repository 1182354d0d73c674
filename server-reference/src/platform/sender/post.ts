import type { ClientRequest, IncomingMessage } from 'node:http';

import type { Clock, TrackedHandle } from '../clock/clock.ts';
import { failed, refused, withResponse, withoutResponse } from './attempt-result.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { SignedMessage } from './headers.ts';
import type { Target } from './target/target.ts';

/** The number of response body bytes that are stored. The rest is not read. */
export const RESPONSE_CAPTURE_BYTES = 4_096;

/** The maximum number of interim responses (1xx) before the response. One more ends the attempt. */
export const MAX_INTERIM_RESPONSES = 16;

/** The request of an attempt. */
export interface DeliveryRequest {
  /** The signed message, whose id and timestamp are also in the headers. */
  readonly message: SignedMessage;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The request to send: the signed request, or an interceptor's altered request. */
export interface OutgoingRequest extends DeliveryRequest {
  /** Writes the body. Default: the whole body at once. */
  readonly writeBody?: WriteBody;
}

/** Writes the body of a request. Returns a function that stops it. The caller ends the connection. */
export type WriteBody = (request: ClientRequest, body: Buffer, control: BodyControl) => () => void;

export interface BodyControl {
  readonly clock: Clock;
  /** Pause it while the writer waits for the clock. */
  readonly attempt: TrackedHandle;
  /** Ends the attempt without a response and with this error. */
  cutOff(error: string): void;
}

export interface PostOptions {
  readonly clock: Clock;
  readonly attempt: TrackedHandle;
  /** Called with the local port once the connection is open. */
  readonly onPort?: ((port: number | undefined) => void) | undefined;
}

/** A POST in progress. */
export interface Posting {
  /** Never rejects; a network error is a result. Redirects are not followed. */
  readonly result: Promise<AttemptResult>;
  /** Returns the request that was sent if it is not the given one; undefined before it is. */
  readonly sent?: () => Pick<OutgoingRequest, 'headers' | 'body'> | undefined;
  /** Ends the POST without a response and with this error, and stops writing the body. */
  cutOff(error: string): void;
}

/** Starts one POST. */
export function post(
  target: Target,
  { headers, body, writeBody = writeWhole }: Omit<OutgoingRequest, 'message'>,
  { clock, attempt, onPort }: PostOptions,
): Posting {
  if (target.kind === 'refused') return posted(refused(target.detail));
  let cutOff: Posting['cutOff'] = doNothing;
  const result = new Promise<AttemptResult>((resolve) => {
    const request = target.begin(headers);
    const settle = (settled: AttemptResult): void => {
      stopWriting();
      if (!request.writableEnded) request.destroy();
      resolve(settled);
    };
    cutOff = (error) => {
      settle(withoutResponse(error));
      request.destroy();
    };
    if (onPort !== undefined) reportPort(request, onPort);
    awaitResponse(request, settle, cutOff);
    const stopWriting = writeBody(request, body, { clock, attempt, cutOff });
  });
  return { result, cutOff };
}

/** Returns a finished POST that sends nothing. */
export function posted(result: AttemptResult): Posting {
  return { result: Promise.resolve(result), cutOff: doNothing };
}

function doNothing(): void {}

function writeWhole(request: ClientRequest, body: Buffer): () => void {
  request.end(body);
  return doNothing;
}

function reportPort(request: ClientRequest, report: (port: number | undefined) => void): void {
  request.on('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => report(socket.localPort));
    else report(socket.localPort);
  });
}

function awaitResponse(
  request: ClientRequest,
  settle: (result: AttemptResult) => void,
  cutOff: Posting['cutOff'],
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
