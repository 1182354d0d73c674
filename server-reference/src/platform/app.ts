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

/** Which operations a port serves: those of the app address, all others, or both. */
export type Side = 'both' | 'base' | 'app';

/** The request whose key is valid and within its limits. */
export interface AdmittedState extends AuthenticatedState {
  /** Undefined for a path that is no operation. */
  operationId: string | undefined;
}

/** Middleware around the platform's own. Each may end the request, or call `next`. */
export interface RequestMiddleware {
  /** Runs around the whole request, outside the error exit; the request has its id. */
  readonly around: Middleware<RequestState>;
  /** Runs after the key and the limits, before scope, schemas and route. */
  readonly admitted: Middleware<AdmittedState>;
}

export interface AppOptions {
  readonly services: Services;
  /** By operationId of the contract; an operation without a handler is an unknown path. */
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly side: Side;
  readonly newRequestId: NewRequestId;
  readonly logger: Logger;
  /** Default: none. */
  readonly middleware?: RequestMiddleware | undefined;
}

/**
 * The path of every request: id, error exit, form, key, limits, scope, schemas, route. A request below
 * `/_storage` leaves it before the key.
 */
export function createApp(options: AppOptions): Koa {
  const { services, side, newRequestId, logger, middleware } = options;
  const { store, clock, limits } = services;
  const routes = operationRoutes(options);

  const app = new Koa();
  app.on('error', (error: unknown) => {
    if (!isHangUp(error)) logger.error('an answer could not be finished', error);
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

const HANG_UPS = new Set<unknown>(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** The caller went away in the middle of a download, as callers may. */
function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && HANG_UPS.has(error.code);
}

/** A parameter that is delimited by slashes takes several segments. */
function routePath({ path, parameters }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const wide = parameters.some((one) => one.name === name && one['x-slash-delimited'] === true);
    return wide ? `*${name}` : `:${name}`;
  });
}

/** The one that the document names, or what the server has chosen where the contract is silent. */
function successStatus({ responses }: Operation): number {
  const chosen = responses['2XX']?.['x-reference-status'];
  return chosen ?? Number(Object.keys(responses).find((status) => /^2\d\d$/.test(status)) ?? 200);
}
