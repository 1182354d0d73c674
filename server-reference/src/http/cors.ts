import type { Middleware } from 'koa';

/** What a page may read of a response beside its body. */
const EXPOSED = 'Content-Disposition, Content-Range, ETag, Location, Retry-After, X-Request-Id';
/** How long a browser need not ask again. */
const MAX_AGE_SECONDS = '600';

/** Lets the pages of some origins call this server, and responds when their browsers ask whether they may. */
export function allowOrigins(origins: ReadonlySet<string>): Middleware {
  return async function cors(ctx, next) {
    const origin = ctx.get('origin');
    if (!origins.has(origin)) return next();
    ctx.res.setHeader('Access-Control-Allow-Origin', origin);
    ctx.res.appendHeader('Vary', 'Origin');
    const method = ctx.get('access-control-request-method');
    if (ctx.method !== 'OPTIONS' || method === '') {
      ctx.res.setHeader('Access-Control-Expose-Headers', EXPOSED);
      return next();
    }
    ctx.res.setHeader('Access-Control-Allow-Methods', method);
    ctx.res.setHeader('Access-Control-Max-Age', MAX_AGE_SECONDS);
    const headers = ctx.get('access-control-request-headers');
    if (headers !== '') ctx.res.setHeader('Access-Control-Allow-Headers', headers);
    ctx.status = 204;
    return undefined;
  };
}
