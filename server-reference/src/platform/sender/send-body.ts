import type { ClientRequest } from 'node:http';

import type { BodyPace } from '../../lab/delivery-faults/alter-request.ts';
import type { Clock, TimerHandle, TrackedHandle } from '../clock/clock.ts';

export interface BodyOptions {
  readonly clock: Clock;
  /** The attempt, set aside while it waits for the time of the next piece. */
  readonly attempt: TrackedHandle;
  /** Called when the bytes before the cut have left. */
  onCut(): void;
}

/**
 * Sends the body of a request at its pace.
 *
 * @returns how to stop sending; the connection is for the caller to end
 */
export function sendBody(
  request: ClientRequest,
  body: Buffer,
  pace: BodyPace,
  options: BodyOptions,
): () => void {
  if (pace.kind === 'pieces') return sendPieces(request, body, pace, options);
  if (pace.kind === 'cut') {
    request.flushHeaders();
    void written(request, body.subarray(0, pace.afterBytes)).then(() => options.onCut());
  } else {
    request.end(body);
  }
  return nothingToStop;
}

function nothingToStop(): void {}

function sendPieces(
  request: ClientRequest,
  body: Buffer,
  { pieces, milliseconds }: Extract<BodyPace, { kind: 'pieces' }>,
  { clock, attempt }: BodyOptions,
): () => void {
  const startedAt = clock.now();
  let timer: TimerHandle | undefined;
  let stopped = false;

  async function send(index: number): Promise<void> {
    const piece = body.subarray(
      Math.floor((index * body.byteLength) / pieces),
      Math.floor(((index + 1) * body.byteLength) / pieces),
    );
    if (index + 1 >= pieces) {
      attempt.resume();
      request.end(piece);
      return;
    }
    const nextAt = startedAt + Math.round(((index + 1) * milliseconds) / (pieces - 1));
    timer = clock.setTimeout(() => send(index + 1), Math.max(0, nextAt - clock.now()));
    await written(request, piece);
    if (!stopped) attempt.pause();
  }

  request.setNoDelay();
  void send(0);
  return () => {
    stopped = true;
    if (timer !== undefined) clock.clearTimeout(timer);
    attempt.resume();
  };
}

/** Resolves when the bytes were handed to the network, or can no longer be. */
function written(request: ClientRequest, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    request.once('close', resolve);
    request.write(bytes, () => {
      request.off('close', resolve);
      resolve();
    });
  });
}
