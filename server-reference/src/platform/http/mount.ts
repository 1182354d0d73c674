import type { Router } from '@koa/router';
import type { Middleware } from 'koa';

import { ApiError, issue, notFound, ROOT } from './api-error.ts';

/** Returns whether a path is the prefix or below it. */
export function isBelow(prefix: string, path: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** Limits a middleware to the paths of a prefix. */
export function mount(prefix: string, middleware: Middleware): Middleware {
  return function mounted(ctx, next) {
    return isBelow(prefix, ctx.path) ? middleware(ctx, next) : next();
  };
}

/** Refuses requests that no route has handled: 405 if only the method is wrong, else 404. */
export function refuseUnrouted(routes: Router): Middleware {
  return async function unrouted(ctx) {
    const methods = routes.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods);
    if (methods.length === 0) throw notFound(ROOT, 'no operation has this path');
    const allow = [...new Set(methods)].join(', ');
    throw new ApiError(
      405,
      [issue('method_not_allowed', ROOT, `this path does not support ${ctx.method}`)],
      { hint: `Use one of ${allow}.`, headers: { Allow: allow } },
    );
  };
}
