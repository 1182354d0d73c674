import type { Socket } from 'node:net';

import type { Clock, TrackedHandle } from '../clock/clock.ts';
import { failed, readPlainResponse, refused, withoutResponse } from './attempt-result.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { SignedMessage } from './headers.ts';
import { MAX_INTERIM_RESPONSES, readResponse } from './response-reader.ts';
import type { ResponseReader } from './response-reader.ts';
import type { Connection, ConnectionUser, Target } from './target/target.ts';

export { MAX_INTERIM_RESPONSES };

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

/** Writes the body of a request. Returns a function that stops it. The caller closes the connection. */
export type WriteBody = (socket: Socket, body: Buffer, control: BodyControl) => () => void;

export interface BodyControl {
  readonly clock: Clock;
  /** Pause it while the writer waits for the clock. */
  readonly attempt: TrackedHandle;
  /** Call it when the whole body is written. */
  written(): void;
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
  request: Omit<OutgoingRequest, 'message'>,
  options: PostOptions,
): Posting {
  if (target.kind === 'refused') return posted(refused(target.detail));
  let cutOff: Posting['cutOff'] = doNothing;
  const result = new Promise<AttemptResult>((resolve) => {
    // Headers that cannot be sent throw before a connection is taken.
    const head = target.head(request.headers);
    const connection = target.connect();
    if (options.onPort !== undefined) reportPort(connection.socket, options.onPort);
    const exchange = new Exchange(connection, resolve);
    cutOff = (error) => exchange.cutOff(error);
    connection.use(exchange);
    exchange.write(head, request, options);
  });
  return { result, cutOff };
}

/** Returns a finished POST that sends nothing. */
export function posted(result: AttemptResult): Posting {
  return { result: Promise.resolve(result), cutOff: doNothing };
}

function doNothing(): void {}

function writeWhole(socket: Socket, body: Buffer, control: BodyControl): () => void {
  socket.write(body);
  control.written();
  return doNothing;
}

function reportPort(socket: Socket, report: (port: number | undefined) => void): void {
  if (socket.connecting) socket.once('connect', () => report(socket.localPort));
  else report(socket.localPort);
}

/** A request and its response on a connection. */
class Exchange implements ConnectionUser {
  readonly #connection: Connection;
  readonly #resolve: (result: AttemptResult) => void;
  #isWritten = false;
  /** Whether the connection is no longer that of this exchange. */
  #isOver = false;
  #stopWriting: () => void = doNothing;
  /** Reads the response unless it is plain. */
  #reader: ResponseReader | null = null;

  constructor(connection: Connection, resolve: (result: AttemptResult) => void) {
    this.#connection = connection;
    this.#resolve = resolve;
  }

  write(
    head: string,
    { body, writeBody = writeWhole }: Pick<OutgoingRequest, 'body' | 'writeBody'>,
    { clock, attempt }: PostOptions,
  ): void {
    const { socket } = this.#connection;
    socket.cork();
    socket.write(head, 'latin1');
    this.#stopWriting = writeBody(socket, body, {
      clock,
      attempt,
      written: () => (this.#isWritten = true),
      cutOff: (error) => this.cutOff(error),
    });
    socket.uncork();
  }

  received(bytes: Buffer): void {
    if (this.#reader === null) {
      const plain = readPlainResponse(bytes);
      if (plain !== null) {
        this.#settle(plain.result);
        this.#leave(plain.isKept, plain.announced);
        return;
      }
      this.#reader = readResponse({
        settle: (result) => this.#settle(result),
        cutOff: (error) => this.cutOff(error),
        over: (isKept, announced) => this.#leave(isKept, announced),
      });
    }
    this.#reader.received(bytes);
  }

  ended(error: Error | null): void {
    if (this.#reader === null) this.#settle(failed(error ?? hungUp()));
    else this.#reader.ended(error);
  }

  /** Ends the POST without a response. */
  cutOff(error: string): void {
    this.#settle(withoutResponse(error));
    this.#leave(false, undefined);
    this.#reader?.close();
  }

  #settle(result: AttemptResult): void {
    this.#stopWriting();
    this.#resolve(result);
  }

  #leave(isKept: boolean, announced: string | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (isKept && this.#isWritten) this.#connection.keep(announced);
    else this.#connection.close();
  }
}

/** As Node describes it. */
function hungUp(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
}
