import { Router } from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { Middleware, Next } from 'koa';

import { ROOT, notFound, refusal } from '../errors.ts';
import type { ApiError } from '../errors.ts';
import { nearestOperation } from './nearest-operation.ts';

/**
 * Creates a router that compares paths as they are sent: in their case, and with every slash. Of two paths that
 * match, the one with fewer parameters wins.
 */
export function createRouter<State>(): Router<State> {
  return new Router({ sensitive: true, strict: true, exclusive: 'specificity' });
}

/**
 * Refuses what the routers before it did not serve: 405 if only the method is wrong, else 404, which names the nearest
 * operation of the last router.
 */
export function refuseUnrouted({ method, path, matched = [], router }: Unrouted): never {
  const methods = matched.flatMap((layer) => layer.methods);
  if (methods.length > 0) throw unrouted(method, methods);
  const known = (router?.stack ?? []).flatMap((layer) =>
    layer.methods
      .filter((one) => one !== 'HEAD')
      .map((one) => ({ method: one, path: String(layer.path) })),
  );
  const nearest = nearestOperation({ method, path }, known);
  throw unrouted(method, [], nearest === undefined ? undefined : `Did you mean ${nearest}?`);
}

/** A router adds itself and what it has matched. */
type Unrouted = Pick<RouterContext, 'method' | 'path'> &
  Partial<Pick<RouterContext, 'matched' | 'router'>>;

/** Returns the error of a request without a route. */
export function unrouted(method: string, methods: readonly string[], hint?: string): ApiError {
  if (methods.length === 0) return notFound(ROOT, 'no operation has this path', hint);
  const allow = [...new Set(methods)].join(', ');
  const message = `this path does not support ${method}`;
  return refusal('method_not_allowed', ROOT, message, {
    hint: `Use one of ${allow}.`,
    headers: { Allow: allow },
  });
}

/** Returns whether a path is the prefix or below it. */
export function isBelow(prefix: string, path: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** Limits a middleware to the paths of a prefix. */
export function mount<State>(prefix: string, middleware: Middleware<State>): Middleware<State> {
  return function mounted(ctx, next: Next) {
    return isBelow(prefix, ctx.path) ? middleware(ctx, next) : next();
  };
}
