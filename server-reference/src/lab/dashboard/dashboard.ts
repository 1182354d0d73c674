import type { Middleware, ParameterizedContext } from 'koa';
import compose from 'koa-compose';

import { respondErrors } from '../../http/error-exit.ts';
import { checkRequest } from '../../http/request.ts';
import type { HostRule, RequestState } from '../../http/request.ts';
import { unrouted } from '../../http/router.ts';
import type { Logger } from '../../logger.ts';
import { readAssets } from './assets.ts';
import type { Asset } from './assets.ts';

/** The path prefix of the dashboard. */
export const DASHBOARD_PREFIX = '/_dashboard';

const METHODS = ['GET', 'HEAD'];

interface DashboardOptions {
  readonly servesHost: HostRule;
  readonly logger: Logger;
}

/**
 * Serves the files of the dashboard. They hold no data and need no token: the page reads the token from the
 * fragment of its address and calls the control interface.
 */
export function dashboard({ servesHost, logger }: DashboardOptions): Middleware<RequestState> {
  let assets: ReadonlyMap<string, Asset> | undefined;
  const files: Middleware<RequestState> = async (ctx) => {
    if (!METHODS.includes(ctx.method)) throw unrouted(ctx.method, METHODS);
    if (ctx.path === '/' || ctx.path === DASHBOARD_PREFIX) {
      ctx.redirect(`${DASHBOARD_PREFIX}/`);
      return;
    }
    assets ??= await readAssets();
    const name = ctx.path.slice(DASHBOARD_PREFIX.length + 1);
    const asset = assets.get(name);
    // A name with a dot is a file. Every other path is an address within the page.
    if (asset === undefined && name.includes('.')) throw unrouted(ctx.method, []);
    respond(ctx, asset ?? pageOf(assets));
  };
  return compose([respondErrors(logger), checkRequest(servesHost), files]);
}

function pageOf(assets: ReadonlyMap<string, Asset>): Asset {
  const page = assets.get('index.html');
  if (page === undefined) {
    throw new TypeError('The dashboard must be built. Run npm run build.');
  }
  return page;
}

/** Only files of this server, no code or style within the page, and no other site may frame it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  // Browsers ask each time, and get 304 while the file is the same.
  'Cache-Control': 'no-cache',
};

function respond(ctx: ParameterizedContext, { type, tag, content }: Asset): void {
  ctx.set(HEADERS);
  ctx.set('ETag', tag);
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.set('Content-Type', type);
  ctx.body = content;
}
