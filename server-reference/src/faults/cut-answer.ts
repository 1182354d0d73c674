import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

import type { Middleware } from 'koa';

/** What a fault leaves for the way out. */
export interface CutState {
  /** The connection is cut after so many bytes of the answer's body. */
  cutAfterBytes?: number;
}

/**
 * Sends an answer that shall be cut: it declares more bytes than it sends, and then the connection
 * ends. An answer without a body is left as it is.
 */
export function cutAnswers(): Middleware<CutState> {
  return async function cut(ctx, next) {
    await next();
    const { cutAfterBytes } = ctx.state;
    const body: unknown = ctx.body;
    if (cutAfterBytes === undefined || ctx.method === 'HEAD') return;
    if (typeof body !== 'string' && !(body instanceof Readable)) return;
    ctx.respond = false;
    ctx.res.statusCode = ctx.status;
    ctx.set('Content-Length', String(Math.max(ctx.length ?? 0, cutAfterBytes + 1)));
    await sendSome(ctx.res, body, cutAfterBytes);
    ctx.res.destroy();
  };
}

async function sendSome(
  response: ServerResponse,
  body: string | Readable,
  bytes: number,
): Promise<void> {
  response.flushHeaders();
  let left = bytes;
  for await (const chunk of typeof body === 'string' ? [Buffer.from(body)] : body) {
    const part = Buffer.from(chunk).subarray(0, left);
    left -= part.length;
    if (part.length > 0) await written(response, part);
    if (left === 0 || response.destroyed) break;
  }
}

/** Also when the caller has gone. */
function written(response: ServerResponse, part: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve);
    response.write(part, () => {
      response.off('close', resolve);
      resolve();
    });
  });
}
