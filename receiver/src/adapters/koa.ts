import type { IncomingMessage } from 'node:http';

import type { Receiver } from '../create-receiver.ts';
import { readNodeBody } from './read-node-body.ts';

/** The part of a Koa context that the middleware uses. */
export interface KoaContext {
  readonly req: IncomingMessage;
  /** A body parser leaves its result in `body`. */
  readonly request: object;
  status: number;
  body: unknown;
  set(headers: Record<string, string>): void;
}

/**
 * Middleware for Koa. It answers every request it gets, so mount it on a route; body parsers such
 * as koa-bodyparser must not run before it.
 */
export function koaMiddleware(
  receiver: Pick<Receiver, 'receive'>,
): (context: KoaContext) => Promise<void> {
  return async function hookproofMiddleware(context) {
    const { req, request } = context;
    const answer = await receiver.receive({
      method: req.method ?? '',
      contentType: req.headers['content-type'],
      headers: req,
      body: (limits) => readNodeBody(req, 'body' in request ? request.body : undefined, limits),
    });
    context.status = answer.status;
    context.set({ ...answer.headers });
    context.body = answer.body;
  };
}
