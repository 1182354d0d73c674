import type { Clock, TimerHandle } from '../clock.ts';
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
  /** Maximum number of bytes of all bodies that are being read or stored. */
  readonly maxBufferedBytes: number;
}

/** A stream as a sequence of chunks. */
interface ChunkSource {
  readonly next: () => Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  readonly cancel: () => void;
}

/** Maximum time for a body to arrive, and for the rest of a refused one. */
const MAX_BODY_MILLISECONDS = 10_000;

const UNREAD_FIX = 'Pass a stream that is neither read nor locked.';

/** Reads the bodies of all requests, within common limits. */
export class BodyReader {
  readonly #limits: BodyLimits;
  readonly #clock: Clock;
  /** The bodies that are being read, oldest first, with the timers that end them. */
  readonly #unfinished = new Map<Reading, TimerHandle>();
  /**
   * The timers of streams whose rest is read and dropped, so that their senders can read the
   * response.
   */
  readonly #draining = new Set<TimerHandle>();
  readonly #reportOverload: () => void;
  readonly #host: ReadingHost;
  #chargedBytes = 0;

  constructor(limits: BodyLimits, clock: Clock, reportOverload: () => void) {
    this.#limits = limits;
    this.#clock = clock;
    this.#reportOverload = reportOverload;
    this.#host = {
      bodyLimitBytes: limits.bodyLimitBytes,
      charge: (bytes) => this.#charge(bytes),
      settled: (reading, result) => this.#settled(reading, result),
      drain: (cancel) => this.#drain(cancel),
    };
  }

  /** Reads a body of any kind. `declaredBytes` is its `content-length`, or 0. */
  read(body: unknown, declaredBytes: number): BodyResult | Promise<BodyResult> {
    if (isBytes(body)) return this.#buffered(body);
    if (typeof body !== 'object' || body === null) return bodyNotBytes(kindOf(body));
    if (body instanceof BodyFailure) return body;
    if (isArrayBuffer(body)) return this.#buffered(new Uint8Array(body));
    if (isNodeStream(body)) return this.#readNodeStream(body, declaredBytes);
    if (isWebStream(body)) {
      if (body.locked) return bodyAlreadyRead(UNREAD_FIX);
      const reader = body.getReader();
      const cancel = (): void => void reader.cancel().catch(() => {});
      return this.#readChunks({ next: () => reader.read(), cancel }, declaredBytes);
    }
    if (isAsyncIterable(body)) {
      const iterator = body[Symbol.asyncIterator]();
      const cancel = (): void => void iterator.return?.().catch(() => {});
      return this.#readChunks({ next: () => iterator.next(), cancel }, declaredBytes);
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
    for (const timer of this.#draining) this.#clock.clearTimeout(timer);
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

  #readNodeStream(stream: NodeBodyStream, declaredBytes: number): BodyResult | Promise<BodyResult> {
    if (stream.readableDidRead) return bodyAlreadyRead(UNREAD_FIX);
    // A parser that read an empty body leaves no other trace.
    if (stream.readableEnded) return { bytes: new Uint8Array(0), chargedBytes: 0 };
    if (stream.destroyed) return FAILURES.body_aborted;
    return new Promise((resolve) => {
      const reading = this.#begin(resolve, () => stream.destroy());
      if (declaredBytes > this.#limits.bodyLimitBytes) reading.fail(FAILURES.body_too_large);
      const close = (): void => reading.close();
      stream.on('data', (chunk) => reading.add(chunk));
      stream.on('end', () => reading.end());
      stream.on('close', close);
      stream.on('error', close);
    });
  }

  #readChunks({ next, cancel }: ChunkSource, declaredBytes: number): Promise<BodyResult> {
    return new Promise((resolve) => {
      const reading = this.#begin(resolve, cancel);
      if (declaredBytes > this.#limits.bodyLimitBytes) reading.fail(FAILURES.body_too_large);
      void pump(next, reading);
    });
  }

  #begin(resolve: (result: BodyResult) => void, cancel: () => void): Reading {
    const reading = new Reading(this.#host, resolve, cancel);
    const timer = this.#clock.setTimeout(
      () => reading.fail(FAILURES.body_stalled),
      MAX_BODY_MILLISECONDS,
    );
    this.#unfinished.set(reading, timer);
    return reading;
  }

  #settled(reading: Reading, result: BodyResult): void {
    const timer = this.#unfinished.get(reading);
    if (timer !== undefined) this.#clock.clearTimeout(timer);
    this.#unfinished.delete(reading);
    if (result instanceof BodyFailure) this.#chargedBytes -= reading.chargedBytes;
    reading.resolve(result);
  }

  /** Lets the oldest unfinished bodies give way when the buffers are full. */
  #charge(bytes: number): void {
    this.#chargedBytes += bytes;
    while (this.#chargedBytes > this.#limits.maxBufferedBytes) {
      const [oldest] = this.#unfinished.keys();
      if (oldest === undefined) return;
      oldest.fail(FAILURES.overloaded);
      this.#reportOverload();
    }
  }

  #drain(cancel: () => void): () => void {
    const timer = this.#clock.setTimeout(() => {
      this.#draining.delete(timer);
      cancel();
    }, MAX_BODY_MILLISECONDS);
    this.#draining.add(timer);
    return () => {
      this.#clock.clearTimeout(timer);
      this.#draining.delete(timer);
    };
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
