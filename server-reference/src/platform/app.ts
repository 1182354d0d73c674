import { listCompanions, listOperations, loadOpenApi } from '@hookproof/spec/openapi';
import type { Operation } from '@hookproof/spec/openapi';
import { Router } from '@koa/router';
import Koa from 'koa';
import type { Middleware } from 'koa';

import { authenticate, requireScope } from './access/api-key.ts';
import type { AuthenticatedState } from './access/api-key.ts';
import { limitRequests } from './access/rate-limit.ts';
import { respondErrors } from './http/error-exit.ts';
import { refuseUnrouted } from './http/mount.ts';
import { assignRequestId, checkRequest } from './http/request.ts';
import type { NewRequestId, RequestState } from './http/request.ts';
import { schemaChecks } from './http/schema.ts';
import type { Logger } from './logger.ts';
import { respondRoute } from './routes/operation.ts';
import type { Handler, Services } from './routes/services.ts';
import { useStorage } from './routes/storage.ts';
import { validateRequest } from './routes/validate-request.ts';

/** The operations that a port serves: `app` for the app address, `base` for all others, or `both`. */
export type Side = 'both' | 'base' | 'app';

/** The state of a request whose API key is valid and within its limits. */
export interface AdmittedState extends AuthenticatedState {
  /** Undefined if the path is not an operation. */
  operationId: string | undefined;
}

/** Extra middleware for the platform. Each may end the request or call `next`. */
export interface RequestMiddleware {
  /** Wraps the whole request, outside the error exit. The request already has its id. */
  readonly around: Middleware<RequestState>;
  /** Runs after authentication and rate limit, before scope, schemas and route. */
  readonly admitted: Middleware<AdmittedState>;
}

export interface AppOptions {
  readonly services: Services;
  /** Keyed by operationId. An operation without a handler is an unknown path. */
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly side: Side;
  readonly newRequestId: NewRequestId;
  readonly logger: Logger;
  /** Default: none. */
  readonly middleware?: RequestMiddleware | undefined;
}

/**
 * Creates the Koa app. Each request passes these steps in order: id, error exit, form, key, limits, scope,
 * schemas, route. A request below `/_storage` has a signed URL and is handled before the key is read.
 */
export function createApp(options: AppOptions): Koa {
  const { services, side, newRequestId, logger, middleware } = options;
  const { store, clock, limits } = services;
  const routes = operationRoutes(options);

  const app = new Koa();
  app.on('error', (error: unknown) => {
    if (!isDisconnect(error)) logger.error('A response could not be finished.', error);
  });
  app.use(assignRequestId(newRequestId));
  if (middleware !== undefined) app.use(middleware.around);
  app.use(respondErrors(logger));
  app.use(checkRequest());
  if (side !== 'app') useStorage(app, services);
  app.use(authenticate(store, clock));
  app.use(limitRequests(limits, clock));
  app.use(nameOperation(routes));
  if (middleware !== undefined) app.use(middleware.admitted);
  app.use(routes.routes());
  app.use(refuseUnrouted(routes));
  return app;
}

function operationRoutes({ services, handlers, side }: AppOptions): Router {
  const document = loadOpenApi();
  const checkOf = schemaChecks(document);
  const routes = new Router({ strict: true, sensitive: true });
  for (const operation of [...listOperations(document), ...listCompanions(document)]) {
    const { operationId, method } = operation;
    const handler = handlers[operationId];
    if (handler === undefined || !isServedOn(side, operation)) continue;
    routes.register(
      routePath(operation),
      [method],
      [
        requireScope(operationId),
        validateRequest(operation, checkOf, services.settings.bodyLimitBytes),
        respondRoute(handler, successStatus(operation)),
      ],
      { name: operationId },
    );
  }
  return routes;
}

function nameOperation(routes: Router): Middleware<AdmittedState> {
  return async function operation(ctx, next) {
    const match = routes.match(ctx.path, ctx.method).pathAndMethod.at(-1);
    ctx.state.operationId = match?.name ?? undefined;
    await next();
  };
}

function isServedOn(side: Side, { address }: Operation): boolean {
  return side === 'both' || side === address;
}

const DISCONNECT_CODES = new Set<unknown>(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** A client may disconnect during a download; that is not logged. */
function isDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISCONNECT_CODES.has(error.code);
}

/** A parameter with `x-slash-delimited` matches several segments. */
function routePath({ path, parameters }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const wide = parameters.some((one) => one.name === name && one['x-slash-delimited'] === true);
    return wide ? `*${name}` : `:${name}`;
  });
}

/** The 2xx status of the OpenAPI document, or the server's choice where the contract leaves it open. */
function successStatus({ responses }: Operation): number {
  const chosen = responses['2XX']?.['x-reference-status'];
  return chosen ?? Number(Object.keys(responses).find((status) => /^2\d\d$/.test(status)) ?? 200);
}
