import type { IncomingMessage } from 'node:http';

import type { Receiver } from '../create-receiver.ts';
import { readNodeBody } from './read-node-body.ts';

/** The parts of a Koa context that the middleware uses. */
export interface KoaContext {
  readonly req: IncomingMessage;
  /** A body parser stores its result in `body`. */
  readonly request: object;
  status: number;
  body: unknown;
  set(headers: Record<string, string>): void;
}

/**
 * Creates middleware for Koa. It responds to every request that reaches it, so mount it on a route.
 * Exclude that route from body parsers such as koa-bodyparser: the signature covers the exact bytes,
 * and a parsed body gets 500 with the problem `body_already_read`.
 *
 * Requirements: `signature.raw-bytes`.
 *
 * @example
 * ```ts
 * import type { Receiver } from '@hookproof/receiver';
 * import { koaMiddleware } from '@hookproof/receiver/koa';
 * import Koa from 'koa';
 *
 * export function webhookApp(receiver: Receiver): Koa {
 *   const app = new Koa();
 *   app.use(koaMiddleware(receiver));
 *   return app;
 * }
 * ```
 */
export function koaMiddleware(
  receiver: Pick<Receiver, 'receive'>,
): (context: KoaContext) => Promise<void> {
  return async function hookproofMiddleware(context) {
    const { req, request } = context;
    const response = await receiver.receive({
      method: req.method ?? '',
      contentType: req.headers['content-type'],
      headers: req,
      body: (limits) => readNodeBody(req, 'body' in request ? request.body : undefined, limits),
    });
    context.status = response.status;
    context.set({ ...response.headers });
    context.body = response.body;
  };
}
