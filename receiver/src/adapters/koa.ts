import type { IncomingMessage } from 'node:http';

import { knownOptions, requireReceiver } from '../argument-checks.ts';
import { MISDIRECTED } from '../receive/ingress.ts';
import type { Receiving } from '../receive/ingress.ts';
import { bodyOf, headersOf, isDelivery, pathMatcher } from './node-exchange.ts';

/** The parts of a Koa context that the middleware uses. */
export interface KoaContext {
  /** The request of `node:http`. */
  readonly req: IncomingMessage;
  /** The address before koa-mount took its prefix from it. */
  readonly originalUrl: string;
  /** A body parser stores its result here. */
  readonly request: object;
  /** The status of the response. */
  status: number;
  /** The body of the response. */
  body: unknown;
  /** Sets response headers. */
  set(headers: Record<string, string>): void;
}

export interface KoaMiddlewareOptions {
  /**
   * The path of the webhook, such as `/hooks`, with or without the prefix of a mount; a query and
   * one slash at the end are ignored. Requests to other paths go to the next middleware; a delivery
   * that ends with 404 is reported. Default: every path.
   */
  readonly path?: string;
}

/** Middleware for Koa. */
export type KoaMiddleware = (context: KoaContext, next: () => Promise<unknown>) => Promise<void>;

const FIX =
  'Mount koaMiddleware before koa-bodyparser, or exclude its path: bodyParser() runs only where ' +
  'context.disableBodyParser is not true.';

// Requirements: signature.raw-bytes.
/**
 * Creates middleware for Koa. Mount it before body parsers such as koa-bodyparser, because the
 * signature covers the exact bytes: a parsed body gets 500 with the problem `body_already_read`. A
 * parser that skips JSON may stay in front.
 *
 * @throws {TypeError} When `path` does not start with `/`, for another option, or without a
 *   receiver.
 * @example
 * ```ts
 * import type { Receiver } from '@hookproof/receiver';
 * import { koaMiddleware } from '@hookproof/receiver/koa';
 * import Koa from 'koa';
 *
 * export function webhookApp(receiver: Receiver): Koa {
 *   const app = new Koa();
 *   app.use(koaMiddleware(receiver, { path: '/hooks' }));
 *   return app;
 * }
 * ```
 */
export function koaMiddleware(
  receiver: Receiving,
  options: KoaMiddlewareOptions = {},
): KoaMiddleware {
  requireReceiver(receiver);
  knownOptions(options, ['path']);
  const { path } = options;
  const isAtPath = pathMatcher(path);
  return async function hookproofMiddleware(context, next) {
    const { req, request, originalUrl } = context;
    if (!isAtPath(req.url, originalUrl)) {
      await next();
      if (isDelivery(req, receiver) && context.status === 404)
        receiver[MISDIRECTED]?.(originalUrl, path ?? '');
      return;
    }
    const body = bodyOf(req, request, FIX);
    const result = await receiver.receive({ method: req.method ?? '', headers: req, body });
    context.status = result.status;
    context.set(headersOf(result, req.httpVersionMajor));
    context.body = result.body;
  };
}
