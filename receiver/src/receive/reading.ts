import { BodyFailure, bodyNotBytes, isBytes } from './request-body.ts';

/** The bytes of one body. They count against the common limit until they are released. */
export interface BufferedBody {
  readonly bytes: Uint8Array;
  readonly chargedBytes: number;
}

export type BodyResult = BufferedBody | BodyFailure;

/** What a body needs from the reader of all bodies. */
export interface ReadingHost {
  readonly bodyLimitBytes: number;
  /** Counts bytes that a body buffers now. May end bodies with `overloaded`, also this one. */
  charge(bytes: number): void;
  settled(reading: Reading, result: BodyResult): void;
  /**
   * Drops what still arrives until a deadline, and then calls `cancel`. Returns how to stop that.
   */
  drain(cancel: () => void): () => void;
}

export const FAILURES: Readonly<
  Record<'body_too_large' | 'body_stalled' | 'body_aborted' | 'overloaded', BodyFailure>
> = {
  body_too_large: new BodyFailure('body_too_large'),
  body_stalled: new BodyFailure('body_stalled'),
  body_aborted: new BodyFailure('body_aborted'),
  overloaded: new BodyFailure('overloaded'),
};

const EMPTY = new Uint8Array(0);
const MIN_CAPACITY_BYTES = 4_096;

/**
 * One body that arrives in chunks. Several chunks share one buffer, so that a body in many tiny
 * chunks takes at most twice its length, and never more than the limit.
 */
export class Reading {
  readonly resolve: (result: BodyResult) => void;
  chargedBytes = 0;
  readonly #host: ReadingHost;
  readonly #cancel: () => void;
  #stopDraining: (() => void) | undefined;
  #buffer: Uint8Array = EMPTY;
  #length = 0;
  #isSettled = false;

  constructor(host: ReadingHost, resolve: (result: BodyResult) => void, cancel: () => void) {
    this.#host = host;
    this.resolve = resolve;
    this.#cancel = cancel;
  }

  /** Adds a chunk. Once the body has failed, its rest is dropped. */
  add(chunk: unknown): void {
    if (this.#isSettled) return;
    if (!isBytes(chunk)) {
      this.fail(bodyNotBytes('a stream of other values'));
      return;
    }
    const length = this.#length + chunk.length;
    if (length > this.#host.bodyLimitBytes) {
      this.fail(FAILURES.body_too_large);
      return;
    }
    // One chunk, the usual case, is not copied.
    if (this.#length === 0) this.#buffer = chunk;
    else this.#append(chunk, length);
    this.#length = length;
    const added = this.#buffer.length - this.chargedBytes;
    this.chargedBytes += added;
    if (added > 0) this.#host.charge(added);
  }

  /** Ends the body after its last chunk. */
  end(): void {
    this.#stopDraining?.();
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#settle({ bytes, chargedBytes: this.chargedBytes });
  }

  /**
   * Ends the body before its last chunk. The sender can still send the rest and read the response.
   */
  fail(failure: BodyFailure): void {
    if (this.#isSettled) return;
    this.#settle(failure);
    this.#stopDraining = this.#host.drain(this.#cancel);
  }

  /** Ends the body because its stream was closed. */
  close(): void {
    this.#stopDraining?.();
    this.#settle(FAILURES.body_aborted);
  }

  #append(chunk: Uint8Array, length: number): void {
    if (length > this.#buffer.length) {
      const capacity = Math.max(2 * length, MIN_CAPACITY_BYTES);
      const larger = new Uint8Array(Math.min(capacity, this.#host.bodyLimitBytes));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
  }

  #settle(result: BodyResult): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#buffer = EMPTY;
    this.#host.settled(this, result);
  }
}
