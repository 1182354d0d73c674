import type { IncomingMessage } from 'node:http';

import type { BodyFailure, BodyLimits } from '../receive/receive-delivery.ts';

/** Reads the body of a Node request up to the limit. `parsedBody` is the result of an earlier parser. */
export async function readNodeBody(
  request: IncomingMessage,
  parsedBody: unknown,
  { limitBytes, timeoutMilliseconds, clock }: BodyLimits,
): Promise<Uint8Array | BodyFailure> {
  if (parsedBody !== undefined || request.readableDidRead) return 'body_already_read';
  const tooLarge = (): BodyFailure => {
    // The sender reads the response only after it has sent its body, so the rest is read and discarded.
    request.resume();
    const timer = clock.setTimeout(() => request.destroy(), timeoutMilliseconds);
    request.once('close', () => clock.clearTimeout(timer));
    return 'body_too_large';
  };
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return tooLarge();

  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const timer = clock.setTimeout(() => finish('body_stalled'), timeoutMilliseconds);
    const finish = (result: Uint8Array | BodyFailure): void => {
      clock.clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limitBytes) finish(tooLarge());
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      const [only] = chunks;
      finish(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length));
    };
    const onClose = (): void => finish('body_aborted');
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}
