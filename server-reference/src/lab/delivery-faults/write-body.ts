import type { ClientRequest } from 'node:http';

import type { AttemptOrder } from '../../events/order.ts';
import type { Clock, TimerHandle } from '../../clock/clock.ts';

/** The error of an attempt whose connection was closed during its body. */
const BODY_TRUNCATED = 'body_truncated';

/** Returns a writer that sends the first bytes of a body and then closes the connection. */
export function cutAfter(bytes: number, body: Buffer): (request: ClientRequest) => void {
  const error = new Error('a delivery fault closed the connection within the body');
  return function writePart(request) {
    request.write(body.subarray(0, Math.min(bytes, body.byteLength - 1)), () =>
      request.destroy(Object.assign(error, { code: BODY_TRUNCATED })),
    );
  };
}

interface Pieces {
  readonly pieces: number;
  readonly milliseconds: number;
}

/** Returns a writer that sends a body in equal pieces: the first at once, the last after `milliseconds`. */
export function inPieces(
  { pieces, milliseconds }: Pieces,
  { request: { body }, tracked, signal }: AttemptOrder,
  clock: Clock,
): (request: ClientRequest) => void {
  const count = Math.min(pieces, body.byteLength);
  const startedAt = clock.steady();
  const beginOf = (index: number): number => Math.floor((index * body.byteLength) / count);
  return function writePieces(request) {
    let timer: TimerHandle | undefined;
    const stop = (): void => {
      if (timer !== undefined) clock.clearTimeout(timer);
      tracked.resume();
    };
    request.on('close', stop);
    signal.addEventListener('abort', stop);
    const write = async (index: number): Promise<void> => {
      const piece = body.subarray(beginOf(index), beginOf(index + 1));
      if (index + 1 >= count) {
        tracked.resume();
        request.end(piece);
        return;
      }
      const nextAt = startedAt + Math.round(((index + 1) * milliseconds) / (count - 1));
      timer = clock.setTimeout(() => write(index + 1), Math.max(0, nextAt - clock.steady()));
      await written(request, piece);
      if (!request.destroyed) tracked.pause();
    };
    void write(0);
  };
}

/** Resolves when the bytes were written or the connection is closed. */
function written(request: ClientRequest, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    request.once('close', resolve);
    request.write(bytes, () => {
      request.off('close', resolve);
      resolve();
    });
  });
}
