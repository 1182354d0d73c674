import type { ClientRequest, IncomingMessage } from 'node:http';

import type { Clock, TrackedHandle } from '../clock/clock.ts';
import { answered, failed, refused, unanswered } from './attempt-result.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { SignedMessage } from './headers.ts';
import type { Target } from './target/target.ts';

/** How many bytes of a response body are kept; the rest is not read. */
export const RESPONSE_CAPTURE_BYTES = 4_096;

/** How many interim responses (1xx) may come before the response; more end the attempt. */
export const MAX_INTERIM_RESPONSES = 16;

/** The request of an attempt. */
export interface DeliveryRequest {
  /** What the headers say and the signature covers. */
  readonly message: SignedMessage;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A request as it leaves: the signed one, or what an interceptor made of it. */
export interface OutgoingRequest extends DeliveryRequest {
  /** Writes the body. Default: all of it at once. */
  readonly writeBody?: WriteBody;
}

/** Writes the body of a request; returns how to stop. The caller ends the connection. */
export type WriteBody = (request: ClientRequest, body: Buffer, control: BodyControl) => () => void;

export interface BodyControl {
  readonly clock: Clock;
  /** Pause it while the body waits for the clock. */
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

/** A POST under way. */
export interface Posting {
  /** Never rejects: a failure is a result. A redirect is a response and is not followed. */
  readonly result: Promise<AttemptResult>;
  /** Ends the attempt without a response and with this error, its body included. */
  cutOff(error: string): void;
}

/** Makes one POST. */
export function post(
  target: Target,
  { headers, body, writeBody = writeWhole }: Omit<OutgoingRequest, 'message'>,
  { clock, attempt, onPort }: PostOptions,
): Posting {
  if (target.kind === 'refused') return posted(refused(target.detail));
  let cutOff: Posting['cutOff'] = nothingUnderWay;
  const result = new Promise<AttemptResult>((resolve) => {
    const request = target.begin(headers);
    const settle = (settled: AttemptResult): void => {
      stopWriting();
      if (!request.writableEnded) request.destroy();
      resolve(settled);
    };
    cutOff = (error) => {
      settle(unanswered(error));
      request.destroy();
    };
    if (onPort !== undefined) reportPort(request, onPort);
    awaitResponse(request, settle, cutOff);
    const stopWriting = writeBody(request, body, { clock, attempt, cutOff });
  });
  return { result, cutOff };
}

/** A POST that has its result already, since nothing leaves. */
export function posted(result: AttemptResult): Posting {
  return { result: Promise.resolve(result), cutOff: nothingUnderWay };
}

function nothingUnderWay(): void {}

function writeWhole(request: ClientRequest, body: Buffer): () => void {
  request.end(body);
  return nothingUnderWay;
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
    // An error after a whole response, such as a body after 204, does not undo the response.
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
    settle(answered(incoming, null));
  });
}

function capture(response: IncomingMessage, settle: (result: AttemptResult) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (): void => {
    const body =
      size === 0 ? '' : Buffer.concat(chunks).toString('utf8', 0, RESPONSE_CAPTURE_BYTES);
    settle(answered(response, body));
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
