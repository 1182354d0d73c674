import type { ClientRequest, IncomingMessage } from 'node:http';

import type { Departure } from '../../lab/delivery-faults/alter-request.ts';
import type { Clock, TrackedHandle } from '../clock/clock.ts';
import { answered, DROPPED, failed, unanswered } from './attempt-result.ts';
import type { AttemptResult } from './attempt-result.ts';
import { sendBody } from './send-body.ts';
import { TARGET_REFUSED } from './target/guarded-lookup.ts';
import type { Target } from './target/target.ts';

/** What is kept of an answer; the rest is not read. */
export const RESPONSE_CAPTURE_BYTES = 4_096;

/** Interim answers (1xx) before the answer; more are no answer. */
export const MOST_INTERIM_ANSWERS = 16;

/** What a connection that was cut in the middle of the body leaves for an error. */
export const BODY_TRUNCATED = 'body_truncated';

export interface PostOptions {
  readonly clock: Clock;
  /** The attempt, set aside while its body waits for time. */
  readonly attempt: TrackedHandle;
  /** Called with the port that its connection comes from, once it stands. */
  readonly onPort?: (port: number | undefined) => void;
}

/** A POST under way. */
export interface Posting {
  /** Never rejects: what went wrong is in the result. A redirect is an answer and not followed. */
  readonly result: Promise<AttemptResult>;
  /** Ends the attempt without an answer and with this error, its body included. */
  cutOff(error: string): void;
}

/** A POST that is lost before it leaves. */
export function dropped(): Posting {
  const result = Promise.resolve(unanswered(DROPPED, 'a pathology lost it before it left'));
  return { result, cutOff: nothingUnderWay };
}

/** Makes one POST. */
export function post(
  target: Target,
  { headers, body, pace }: Omit<Departure, 'message'>,
  { clock, attempt, onPort }: PostOptions,
): Posting {
  if (target.kind === 'refused') {
    const result = Promise.resolve(unanswered(TARGET_REFUSED, target.detail));
    return { result, cutOff: nothingUnderWay };
  }
  let cutOff: Posting['cutOff'] = nothingUnderWay;
  const result = new Promise<AttemptResult>((resolve) => {
    const request = target.begin(headers);
    const settle = (settled: AttemptResult): void => {
      stopSending();
      if (!request.writableEnded) request.destroy();
      resolve(settled);
    };
    cutOff = (error) => {
      settle(unanswered(error));
      request.destroy();
    };
    if (onPort !== undefined) tellPort(request, onPort);
    awaitAnswer(request, settle, cutOff);
    const onCut = (): void => cutOff(BODY_TRUNCATED);
    const stopSending = sendBody(request, body, pace, { clock, attempt, onCut });
  });
  return { result, cutOff };
}

function nothingUnderWay(): void {}

function tellPort(request: ClientRequest, tell: (port: number | undefined) => void): void {
  request.on('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => tell(socket.localPort));
    else tell(socket.localPort);
  });
}

function awaitAnswer(
  request: ClientRequest,
  settle: (result: AttemptResult) => void,
  cutOff: Posting['cutOff'],
): void {
  let answer: IncomingMessage | undefined;
  let interimAnswers = 0;
  request.on('error', (error) => {
    // What comes after a whole answer, such as a body after 204, does not undo it.
    if (answer?.complete !== true) settle(failed(error));
  });
  request.on('information', () => {
    interimAnswers += 1;
    if (interimAnswers > MOST_INTERIM_ANSWERS) cutOff('too_many_interim_answers');
  });
  request.on('response', (response) => {
    answer = response;
    capture(response, settle);
  });
  request.on('upgrade', (response, socket) => {
    socket.destroy();
    settle(answered(response, null));
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
