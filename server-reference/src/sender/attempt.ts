import type { ClientRequest, IncomingMessage } from 'node:http';

import { answered, failed, unanswered } from './attempt-result.ts';
import type { AttemptResult } from './attempt-result.ts';
import { TARGET_REFUSED } from './guarded-lookup.ts';
import type { Target } from './target.ts';

/** What is kept of an answer; the rest is not read. */
export const RESPONSE_CAPTURE_BYTES = 4_096;

/** Interim answers (1xx) before the answer; more are no answer. */
export const MOST_INTERIM_ANSWERS = 16;

export interface AttemptRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A POST under way. */
export interface Posting {
  /** Never rejects: what went wrong is in the result. A redirect is an answer and not followed. */
  readonly result: Promise<AttemptResult>;
  /** Ends the attempt without an answer and with this error, its body included. */
  cutOff(error: string): void;
  /** The port that its connection comes from; undefined until it stands. */
  localPort(): number | undefined;
}

/** Makes one POST. */
export function post(target: Target, { headers, body }: AttemptRequest): Posting {
  if (target.kind === 'refused') {
    const result = Promise.resolve(unanswered(TARGET_REFUSED, target.detail));
    return { result, cutOff: nothingUnderWay, localPort: nothingUnderWay };
  }
  let localPort: number | undefined;
  let cutOff: Posting['cutOff'] = nothingUnderWay;
  const result = new Promise<AttemptResult>((settle) => {
    const request = target.begin(headers);
    cutOff = (error) => {
      settle(unanswered(error));
      request.destroy();
    };
    request.on('socket', (socket) => {
      const learn = (): void => void (localPort = socket.localPort);
      if (socket.connecting) socket.once('connect', learn);
      else learn();
    });
    awaitAnswer(request, settle, cutOff);
    // Text is joined with the head into one write; each character is one byte of the body.
    request.end(body.toString('latin1'), 'latin1');
  });
  return { result, cutOff, localPort: () => localPort };
}

function nothingUnderWay(): undefined {}

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
