import type { Clock } from '../clock.ts';
import { Deadlines } from './deadlines.ts';
import type { Deadline } from './deadlines.ts';
import { FAILURES, Reading } from './reading.ts';
import type { BodyResult, BufferedBody, ReadingHost } from './reading.ts';
import {
  bodyAlreadyRead,
  BodyFailure,
  bodyNotBytes,
  isArrayBuffer,
  isAsyncIterable,
  isBytes,
  isNodeStream,
  isWebStream,
  kindOf,
} from './request-body.ts';
import type { NodeBodyStream } from './request-body.ts';

/** Limits for reading bodies. */
export interface BodyLimits {
  /** Maximum length of one body. */
  readonly bodyLimitBytes: number;
  /** Maximum time for a body to arrive. */
  readonly bodyTimeoutMilliseconds: number;
  /** Maximum number of bytes of all bodies that are being read or stored. */
  readonly maxBufferedBytes: number;
}

/** A stream as a sequence of chunks. */
interface ChunkSource {
  readonly next: () => Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  readonly cancel: () => void;
}

const UNREAD_FIX = 'Pass a stream that is neither read nor locked.';

/** Reads the bodies of all requests, within common limits. */
export class BodyReader {
  readonly #limits: BodyLimits;
  readonly #unfinished: Deadlines<Reading>;
  /** Streams whose rest is read and dropped, so that their senders can read the response. */
  readonly #draining: Deadlines<Deadline>;
  readonly #reportOverload: () => void;
  readonly #host: ReadingHost;
  #chargedBytes = 0;

  constructor(limits: BodyLimits, clock: Clock, reportOverload: () => void) {
    this.#limits = limits;
    this.#unfinished = new Deadlines(clock, limits.bodyTimeoutMilliseconds);
    this.#draining = new Deadlines(clock, limits.bodyTimeoutMilliseconds);
    this.#reportOverload = reportOverload;
    this.#host = {
      bodyLimitBytes: limits.bodyLimitBytes,
      charge: (bytes) => this.#charge(bytes),
      settled: (reading, result) => this.#settled(reading, result),
      drain: (cancel) => this.#drain(cancel),
    };
  }

  /** Reads a body of any kind. `declaredBytes` is its `content-length`, or 0; `now` is monotonic. */
  read(body: unknown, declaredBytes: number, now: number): BodyResult | Promise<BodyResult> {
    if (isBytes(body)) return this.#buffered(body);
    if (typeof body !== 'object' || body === null) return bodyNotBytes(kindOf(body));
    if (body instanceof BodyFailure) return body;
    if (isArrayBuffer(body)) return this.#buffered(new Uint8Array(body));
    if (isNodeStream(body)) return this.#readNodeStream(body, declaredBytes, now);
    if (isWebStream(body)) {
      if (body.locked) return bodyAlreadyRead(UNREAD_FIX);
      const reader = body.getReader();
      const cancel = (): void => void reader.cancel().catch(() => {});
      return this.#readChunks({ next: () => reader.read(), cancel }, declaredBytes, now);
    }
    if (isAsyncIterable(body)) {
      const iterator = body[Symbol.asyncIterator]();
      const cancel = (): void => void iterator.return?.().catch(() => {});
      return this.#readChunks({ next: () => iterator.next(), cancel }, declaredBytes, now);
    }
    return bodyNotBytes(kindOf(body));
  }

  /** Drops the body of a request that is refused already. */
  discard(body: unknown): void {
    if (typeof body !== 'object' || body === null || !isNodeStream(body)) return;
    if (body.destroyed || body.readableDidRead) return;
    const stopDraining = this.#drain(() => body.destroy());
    body.on('close', stopDraining);
    body.on('error', stopDraining);
    body.resume();
  }

  /** Gives the bytes of a body back. */
  release({ chargedBytes }: BufferedBody): void {
    this.#chargedBytes -= chargedBytes;
  }

  /** Stops the timers. Call it when no body is being read. */
  close(): void {
    this.#unfinished.close();
    this.#draining.close();
  }

  #buffered(bytes: Uint8Array): BodyResult {
    if (bytes.length > this.#limits.bodyLimitBytes) return FAILURES.body_too_large;
    this.#charge(bytes.length);
    if (this.#chargedBytes <= this.#limits.maxBufferedBytes) {
      return { bytes, chargedBytes: bytes.length };
    }
    this.#chargedBytes -= bytes.length;
    this.#reportOverload();
    return FAILURES.overloaded;
  }

  #readNodeStream(
    stream: NodeBodyStream,
    declaredBytes: number,
    now: number,
  ): BodyResult | Promise<BodyResult> {
    if (stream.readableDidRead) return bodyAlreadyRead(UNREAD_FIX);
    // A parser that read an empty body leaves no other trace.
    if (stream.readableEnded) return { bytes: new Uint8Array(0), chargedBytes: 0 };
    if (stream.destroyed) return FAILURES.body_aborted;
    return new Promise((resolve) => {
      const reading = this.#begin(now, resolve, () => stream.destroy());
      if (declaredBytes > this.#limits.bodyLimitBytes) reading.fail(FAILURES.body_too_large);
      const close = (): void => reading.close();
      stream.on('data', (chunk) => reading.add(chunk));
      stream.on('end', () => reading.end());
      stream.on('close', close);
      stream.on('error', close);
    });
  }

  #readChunks(
    { next, cancel }: ChunkSource,
    declaredBytes: number,
    now: number,
  ): Promise<BodyResult> {
    return new Promise((resolve) => {
      const reading = this.#begin(now, resolve, cancel);
      if (declaredBytes > this.#limits.bodyLimitBytes) reading.fail(FAILURES.body_too_large);
      void pump(next, reading);
    });
  }

  #begin(now: number, resolve: (result: BodyResult) => void, cancel: () => void): Reading {
    const reading = new Reading(this.#host, this.#unfinished.next(now), resolve, cancel);
    this.#unfinished.add(reading);
    return reading;
  }

  #settled(reading: Reading, result: BodyResult): void {
    this.#unfinished.delete(reading);
    if (result instanceof BodyFailure) this.#chargedBytes -= reading.chargedBytes;
    reading.resolve(result);
  }

  /** Lets the oldest unfinished bodies give way when the buffers are full. */
  #charge(bytes: number): void {
    this.#chargedBytes += bytes;
    while (this.#chargedBytes > this.#limits.maxBufferedBytes) {
      const oldest = this.#unfinished.oldest();
      if (oldest === undefined) return;
      oldest.fail(FAILURES.overloaded);
      this.#reportOverload();
    }
  }

  #drain(cancel: () => void): () => void {
    const deadline = { at: this.#draining.next(), expire: cancel };
    this.#draining.add(deadline);
    return () => this.#draining.delete(deadline);
  }
}

async function pump(next: ChunkSource['next'], reading: Reading): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await next();
      if (done === true) break;
      reading.add(value);
    }
    reading.end();
  } catch {
    reading.close();
  }
}
