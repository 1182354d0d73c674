import type { Middleware } from 'koa';

/** Has a middleware look only at the paths that are the prefix or below it; others pass it by. */
export function belowPrefix(prefix: string, middleware: Middleware): Middleware {
  return function below(ctx, next) {
    const concerns = ctx.path === prefix || ctx.path.startsWith(`${prefix}/`);
    return concerns ? middleware(ctx, next) : next();
  };
}
