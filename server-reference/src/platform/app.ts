import { listCompanions, listOperations, loadOpenApi } from '@hookproof/spec/openapi';
import type { Operation } from '@hookproof/spec/openapi';
import { Router } from '@koa/router';
import Koa from 'koa';

import { cutAnswers, sufferFaults } from '../lab/api-faults/apply-faults.ts';
import { useControlInterface } from '../lab/control/control-interface.ts';
import { authenticate, requireScope } from './access/api-key.ts';
import { limitRequests } from './access/rate-limit.ts';
import { checkRequest } from './http/check-request.ts';
import { answerErrors } from './http/error-exit.ts';
import { refuseUnrouted } from './http/mount.ts';
import { assignRequestId } from './http/request-id.ts';
import type { NewRequestId } from './http/request-id.ts';
import { schemaChecks } from './http/schema.ts';
import type { Logger } from './logger.ts';
import { answerRoute } from './routes/operation.ts';
import type { Handler, Services } from './routes/services.ts';
import { useStorage } from './routes/storage.ts';
import { validateRequest } from './routes/validate-request.ts';

/** Which paths stand on a port: those of the app address, all others, or both. */
export type Side = 'both' | 'base' | 'app';

interface AppParts extends Services {
  /** By operationId of the contract; an operation without a handler is an unknown path. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** The address that the server listens at. */
  readonly host: string;
  readonly side: Side;
  readonly newRequestId: NewRequestId;
  readonly logger: Logger;
}

/**
 * The way of every request: id, error exit, form, key, limits, faults, scope, schemas, route. What is
 * below `/_control` or `/_storage` turns off before the key.
 */
export function createApp(parts: AppParts): Koa {
  const { store, clock, handlers, settings, side, limits, faults, logger } = parts;
  const document = loadOpenApi();
  const checkOf = schemaChecks(document);

  const routes = new Router({ strict: true, sensitive: true });
  for (const operation of [...listOperations(document), ...listCompanions(document)]) {
    const { operationId, method } = operation;
    const handler = handlers[operationId];
    if (handler === undefined || !standsOn(side, operation)) continue;
    routes.register(
      routePath(operation),
      [method],
      [
        requireScope(operationId),
        validateRequest(operation, checkOf, settings.bodyLimitBytes),
        answerRoute(handler, successStatus(operation)),
      ],
      { name: operationId },
    );
  }

  const app = new Koa();
  app.on('error', (error: unknown) => {
    if (!isHangUp(error)) logger.error('an answer could not be finished', error);
  });
  app.use(assignRequestId(parts.newRequestId));
  app.use(cutAnswers());
  app.use(answerErrors(logger));
  app.use(checkRequest());
  if (side !== 'app') {
    useControlInterface(app, { ...parts, token: store.state.controlToken });
    useStorage(app, parts);
  }
  app.use(authenticate(store, clock));
  app.use(limitRequests(limits, clock));
  app.use(sufferFaults(faults, routes, clock));
  app.use(routes.routes());
  app.use(refuseUnrouted(routes));
  return app;
}

function standsOn(side: Side, { address }: Operation): boolean {
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
