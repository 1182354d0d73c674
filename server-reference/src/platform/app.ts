import Koa from 'koa';
import type { Middleware } from 'koa';
import compose from 'koa-compose';

import { authenticate, requireScope } from './access/api-key.ts';
import type { AuthenticatedState } from './access/api-key.ts';
import { limitRequests } from './access/rate-limit.ts';
import { STORAGE_PREFIX } from './access/signed-url.ts';
import { respondErrors } from './http/error-exit.ts';
import { assignRequestId, checkRequest, step } from './http/request.ts';
import type { HostRule, NewRequestId, RequestState } from './http/request.ts';
import { dateResponses } from './http/response.ts';
import { loadedLater, mount, RouteTable, unrouted } from './http/route-table.ts';
import type { Match } from './http/route-table.ts';
import type { Logger } from './logger.ts';
import { contractOperations } from './routes/contract.ts';
import type { ContractOperation } from './routes/contract.ts';
import { respondRoute } from './routes/operation.ts';
import type * as Storage from './routes/storage.ts';
import type { LoadHandler, Services } from './routes/services.ts';
import { validateRequest } from './routes/validate-request.ts';
import type { ValidatedState } from './routes/validate-request.ts';

/** The state of a request whose API key is valid and within its limits. */
export interface AdmittedState extends AuthenticatedState {
  /** Undefined if the path is not an operation. */
  operationId: string | undefined;
  match: Match<Route>;
}

/** What the app does for an operation. */
interface Route {
  readonly operationId: string;
  readonly serve: Middleware<ValidatedState>;
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
  readonly handlers: Readonly<Record<string, LoadHandler>>;
  readonly newRequestId: NewRequestId;
  readonly servesHost: HostRule;
  readonly logger: Logger;
  /** Default: none. */
  readonly middleware?: RequestMiddleware | undefined;
}

/**
 * Creates the Koa app. Each request passes these steps in order: id, error exit, form, key, limits, scope,
 * schemas, route. A request below `/_storage` has a signed URL and is handled before the key is read.
 */
export function createApp(options: AppOptions): Koa {
  const { services, newRequestId, servesHost, logger, middleware } = options;
  const { store, clock, limits } = services;
  const routes = operationRoutes(options);

  const app = new Koa();
  app.on('error', (error: unknown) => {
    if (!isDisconnect(error)) logger.error('A response could not be finished.', error);
  });
  app.use(dateResponses(clock));
  app.use(assignRequestId(newRequestId));
  if (middleware !== undefined) app.use(middleware.around);
  app.use(respondErrors(logger));
  app.use(step('form', checkRequest(servesHost)));
  app.use(
    mount(
      STORAGE_PREFIX,
      loadedLater(() => storage(services)),
    ),
  );
  app.use(step('key', authenticate(store, clock)));
  app.use(step('limit', limitRequests(limits, clock)));
  app.use(findOperation(routes));
  if (middleware !== undefined) app.use(step('fault', middleware.admitted));
  app.use(step('route', serveOperation));
  return app;
}

function operationRoutes({ services, handlers }: AppOptions): RouteTable<Route> {
  const routes = contractOperations().flatMap((operation) => {
    const { operationId, method, route: path } = operation;
    const load = handlers[operationId];
    if (load === undefined) return [];
    const serve = serveWith(operation, load, services);
    return [{ method, path, route: { operationId, serve } }];
  });
  const table = new RouteTable<Route>();
  for (const { method, path, route } of routes) table.add(method, path, route);
  // An operation that the document has in both forms keeps its own.
  for (const { method, path, route } of routes) table.add(method, otherForm(path), route);
  return table;
}

/** The handler is loaded before anything of the request is checked, so that a check holds until the handler runs. */
function serveWith(
  { operationId, checks, successStatus }: ContractOperation,
  load: LoadHandler,
  services: Services,
): Route['serve'] {
  return loadedLater(async () =>
    compose([
      step('scope', requireScope(operationId)),
      step('validation', validateRequest(checks, services)),
      step('handler', respondRoute(await load(), successStatus)),
    ]),
  );
}

/** Loads the routes of storage. */
export function loadStorage(): Promise<typeof Storage> {
  return import('./routes/storage.ts');
}

/** Storage is served before authentication: its URLs are signed with `signAddress` instead. */
async function storage(services: Services): Promise<Middleware<RequestState>> {
  const { serveStorage } = await loadStorage();
  return step('route', serveStorage(services));
}

/** Every operation is served below `/v1` and `/api/v1`, because older clients use the second for all. */
function otherForm(path: string): string {
  return path.startsWith('/api/') ? path.slice('/api'.length) : `/api${path}`;
}

function findOperation(routes: RouteTable<Route>): Middleware<AdmittedState> {
  return function operation(ctx, next) {
    ctx.state.match = routes.find(ctx.method, ctx.path);
    ctx.state.operationId = ctx.state.match.target?.operationId;
    return next();
  };
}

const serveOperation: Middleware<AdmittedState & ValidatedState> = (ctx, next) => {
  const { match } = ctx.state;
  if (match.target === null) throw unrouted(ctx.method, match.methods);
  ctx.state.params = match.params;
  return match.target.serve(ctx, next);
};

const DISCONNECT_CODES = new Set<unknown>(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** A client may disconnect during a download; that is not logged. */
function isDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISCONNECT_CODES.has(error.code);
}
