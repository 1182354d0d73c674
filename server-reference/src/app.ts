import type { Router } from '@koa/router';
import Koa from 'koa';
import type { Middleware } from 'koa';

import { authenticate, requireScope } from './api/auth/api-key.ts';
import type { AuthenticatedState } from './api/auth/api-key.ts';
import { documentedOperations } from './api/documented-operations.ts';
import { STORAGE_PREFIX } from './api/files/signed-url.ts';
import { OPENAPI_PATH, serveOpenApi } from './api/openapi-document.ts';
import { respondRoute } from './api/operation.ts';
import { limitRequests } from './api/rate-limit.ts';
import { refuseFull } from './api/refuse-full.ts';
import type { Handler, Services } from './api/services.ts';
import { serveStorage } from './api/storage.ts';
import { validateRequest } from './api/validate-request.ts';
import type { ValidatedState } from './api/validate-request.ts';
import { allowOrigins } from './http/cors.ts';
import { respondErrors } from './http/error-exit.ts';
import { assignRequestId, checkRequest, step } from './http/request.ts';
import type { HostRule, NewRequestId, RequestState } from './http/request.ts';
import { dateResponses } from './http/response.ts';
import { createRouter, mount, refuseUnrouted } from './http/router.ts';
import type { Logger } from './logger.ts';
import { REQUIREMENTS } from './operations.ts';

/** The state of a request whose API key is valid and within its limits. */
export interface AdmittedState extends AuthenticatedState {
  /** Undefined if the path is not an operation. */
  operationId?: string;
}

/** Middleware of the lab. Each may end the request or call `next`. */
export interface RequestMiddleware {
  /** Wraps the whole request, outside the error exit. The request already has its id. */
  readonly around: Middleware<RequestState>;
  /** Runs after authentication and rate limit, before scope, schemas and route. */
  readonly admitted: Middleware<AdmittedState>;
}

interface AppOptions {
  readonly services: Services;
  /** Keyed by operationId. An operation without a handler is an unknown path. */
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly newRequestId: NewRequestId;
  readonly servesHost: HostRule;
  /** The origins whose pages may call the app. */
  readonly corsOrigins: ReadonlySet<string>;
  readonly logger: Logger;
  readonly middleware: RequestMiddleware;
}

/**
 * Creates the Koa app. Each request passes these steps in order: id, error exit, form, key, limits, route,
 * scope, schemas, handler. Before the key is read, `/_storage` is served, whose URLs are signed, and `/openapi.json`.
 */
export function createApp(options: AppOptions): Koa {
  const { services, newRequestId, servesHost, corsOrigins, logger, middleware } = options;
  const { store, clock, limits } = services;
  const admitted = step('fault', middleware.admitted);

  const app = new Koa();
  app.on('error', (error: unknown) => {
    if (!isDisconnect(error)) logger.error('A response could not be finished.', error);
  });
  app.use(dateResponses(clock));
  app.use(assignRequestId(newRequestId));
  app.use(allowOrigins(corsOrigins));
  app.use(middleware.around);
  app.use(respondErrors(logger));
  app.use(step('form', checkRequest(servesHost)));
  // Before authentication: the URLs of storage are signed instead.
  app.use(mount(STORAGE_PREFIX, step('route', serveStorage(services))));
  app.use(mount(OPENAPI_PATH, step('route', serveOpenApi())));
  app.use(step('key', authenticate(store, clock)));
  app.use(step('limit', limitRequests(limits, clock)));
  app.use(operationRoutes(options, admitted).routes());
  app.use(admitted);
  app.use(step('route', refuseUnrouted));
  return app;
}

/** Routes each operation through the lab's middleware, scope, schemas and handler. */
function operationRoutes(
  { services, handlers }: AppOptions,
  admitted: Middleware<AdmittedState>,
): Router<ValidatedState> {
  const router = createRouter<ValidatedState>();
  const operations = documentedOperations();
  const own = new Set(operations.map(({ method, route }) => `${method} ${route}`));
  for (const { operationId, method, route, checks, successStatus } of operations) {
    const handler = handlers[operationId];
    const requirement = REQUIREMENTS[operationId];
    if (handler === undefined || requirement === undefined) continue;
    const other = otherForm(route);
    router.register(
      own.has(`${method} ${other}`) ? [route] : [route, other],
      [method],
      [
        nameOperation(operationId),
        admitted,
        step('scope', requireScope(requirement)),
        step('validation', validateRequest(checks, services)),
        step('handler', function room(ctx, next) {
          refuseFull(services.store, operationId, ctx.method);
          return next();
        }),
        respondRoute(handler, successStatus),
      ],
    );
  }
  return router;
}

function nameOperation(operationId: string): Middleware<AdmittedState> {
  return function operation(ctx, next) {
    ctx.state.operationId = operationId;
    return next();
  };
}

/** Every operation is served below `/v1` and `/api/v1`, because older clients use the second for all. */
function otherForm(path: string): string {
  return path.startsWith('/api/') ? path.slice('/api'.length) : `/api${path}`;
}

const DISCONNECT_CODES = new Set<unknown>(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** A client may disconnect during a download; that is not logged. */
function isDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISCONNECT_CODES.has(error.code);
}
