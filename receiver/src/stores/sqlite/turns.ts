import type { AcceptOutcome, IncomingEvent } from '../store.ts';
import type { StoreError } from '../store-error.ts';
import { FrameWriter } from './frame.ts';
import type { Command, Request } from './messages.ts';
import type { Moment } from './moment.ts';

/** Above this size the events of one turn of the loop are sent in several messages. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024;

/** A caller that waits for a result. */
export interface Caller<Result> {
  resolve(result: Result): void;
  reject(error: StoreError): void;
}

/** What callers asked for in one turn of the loop, with the callers in the same order. */
export interface Turn {
  readonly request: Request & { readonly do: 'turn' };
  readonly accepting: readonly Caller<AcceptOutcome>[];
  readonly commanding: readonly Caller<unknown>[];
}

/** Collects what callers ask for until it is sent. */
export class TurnCollector {
  readonly #writer = new FrameWriter();
  readonly #now: () => Moment;
  readonly #complete: Turn[] = [];
  #accepting: Caller<AcceptOutcome>[] = [];
  #commands: Command[] = [];
  #commanding: Caller<unknown>[] = [];

  constructor(now: () => Moment) {
    this.#now = now;
  }

  accept(event: IncomingEvent, caller: Caller<AcceptOutcome>): void {
    this.#writer.add(event);
    this.#accepting.push(caller);
    if (this.#writer.length >= MAX_FRAME_BYTES) this.#completeTurn();
  }

  command(command: Command, caller: Caller<unknown>): void {
    this.#commands.push(command);
    this.#commanding.push(caller);
  }

  /** Returns the next turn to send; `undefined` when callers asked for nothing. */
  next(): Turn | undefined {
    if (this.#complete.length === 0) this.#completeTurn();
    return this.#complete.shift();
  }

  /** Keeps the buffer of a frame that was written. */
  reuse(buffer: ArrayBuffer): void {
    this.#writer.reuse(buffer);
  }

  #completeTurn(): void {
    if (this.#accepting.length + this.#commanding.length === 0) return;
    const at = this.#now();
    const frame = this.#accepting.length > 0 ? this.#writer.take(at) : null;
    this.#complete.push({
      request: { do: 'turn', at, frame, commands: this.#commands },
      accepting: this.#accepting,
      commanding: this.#commanding,
    });
    this.#accepting = [];
    this.#commands = [];
    this.#commanding = [];
  }
}
