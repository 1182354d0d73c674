import type { Router } from '@koa/router';
import type { Middleware } from 'koa';

import { ApiError, issue, notFound, ROOT } from './api-error.ts';

/** Whether a path is the prefix or below it. */
export function isBelow(prefix: string, path: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** Runs a middleware for the paths of a prefix; other requests skip it. */
export function mount(prefix: string, middleware: Middleware): Middleware {
  return function mounted(ctx, next) {
    return isBelow(prefix, ctx.path) ? middleware(ctx, next) : next();
  };
}

/** Answers what no route has taken: 405 where only the method is wrong, else 404. */
export function refuseUnrouted(routes: Router): Middleware {
  return async function unrouted(ctx) {
    const methods = routes.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods);
    if (methods.length === 0) throw notFound(ROOT, 'there is no such operation');
    const allow = [...new Set(methods)].join(', ');
    throw new ApiError(
      405,
      [issue('method_not_allowed', ROOT, `${ctx.method} is not among the methods of this path`)],
      { hint: `This path knows ${allow}.`, headers: { Allow: allow } },
    );
  };
}
