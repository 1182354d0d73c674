import type { IncomingMessage, ServerResponse } from 'node:http';

import { ROOT, badRequest } from './api-error.ts';
import { checkCoding } from './check-coding.ts';

/**
 * The bytes of a body as they come, asked for only when the first is wanted. Whoever stops early is
 * rid of the rest, and the connection stays good for the answer.
 *
 * @throws {ApiError} 400 when the body breaks off, or is coded
 */
export async function* incomingBytes(
  request: IncomingMessage,
  response: ServerResponse,
): AsyncGenerator<Uint8Array, void, undefined> {
  checkCoding(request);
  if (request.headers.expect !== undefined) response.writeContinue();
  const chunks: AsyncIterator<Uint8Array> = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await chunks.next().catch(() => {
        throw badRequest('malformed_request', ROOT, 'the body ended before its declared length');
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
    request.resume();
  }
}
