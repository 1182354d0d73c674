import type { Socket } from 'node:net';

import type { TimerHandle } from '../../platform/clock/clock.ts';
import type { BodyControl, WriteBody } from '../../platform/sender/post.ts';

/** The error of an attempt whose connection was closed during its body. */
export const BODY_TRUNCATED = 'body_truncated';

/** Returns a writer that sends the first bytes of a body and then closes the connection. */
export function cutAfter(bytes: number): WriteBody {
  return function writePart(socket, body, control) {
    void written(socket, body.subarray(0, bytes)).then(() => control.cutOff(BODY_TRUNCATED));
    return doNothing;
  };
}

function doNothing(): void {}

/** Returns a writer that sends a body in equal pieces: the first at once, the last after `milliseconds`. */
export function inPieces(pieces: number, milliseconds: number): WriteBody {
  return function writePieces(socket, body, control) {
    const writer = new PieceWriter(socket, body, control, { pieces, milliseconds });
    void writer.write(0);
    return () => writer.stop();
  };
}

class PieceWriter {
  readonly #socket: Socket;
  readonly #body: Buffer;
  readonly #control: BodyControl;
  readonly #pieces: number;
  readonly #milliseconds: number;
  readonly #startedAt: number;
  #timer: TimerHandle | undefined;
  #stopped = false;

  constructor(
    socket: Socket,
    body: Buffer,
    control: BodyControl,
    { pieces, milliseconds }: { readonly pieces: number; readonly milliseconds: number },
  ) {
    this.#socket = socket;
    this.#body = body;
    this.#control = control;
    this.#pieces = pieces;
    this.#milliseconds = milliseconds;
    this.#startedAt = control.clock.steady();
  }

  async write(index: number): Promise<void> {
    const { clock, attempt } = this.#control;
    const piece = this.#body.subarray(this.#beginOf(index), this.#beginOf(index + 1));
    if (index + 1 >= this.#pieces) {
      attempt.resume();
      this.#socket.write(piece);
      this.#control.written();
      return;
    }
    const delay = ((index + 1) * this.#milliseconds) / (this.#pieces - 1);
    const nextAt = this.#startedAt + Math.round(delay);
    const next = (): Promise<void> => this.write(index + 1);
    this.#timer = clock.setTimeout(next, Math.max(0, nextAt - clock.steady()));
    await written(this.#socket, piece);
    if (!this.#stopped) attempt.pause();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== undefined) this.#control.clock.clearTimeout(this.#timer);
    this.#control.attempt.resume();
  }

  #beginOf(index: number): number {
    return Math.floor((index * this.#body.byteLength) / this.#pieces);
  }
}

/** Resolves when the bytes were written or the connection is closed. */
function written(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', resolve);
    socket.write(bytes, () => {
      socket.off('close', resolve);
      resolve();
    });
  });
}
