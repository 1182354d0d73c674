import type { Router } from '@koa/router';
import type { Middleware } from 'koa';

import { ApiError, issue, notFound, ROOT } from './api-error.ts';

/** Has a middleware look only at the paths that are the prefix or below it; others pass it by. */
export function belowPrefix(prefix: string, middleware: Middleware): Middleware {
  return function below(ctx, next) {
    const concerns = ctx.path === prefix || ctx.path.startsWith(`${prefix}/`);
    return concerns ? middleware(ctx, next) : next();
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
