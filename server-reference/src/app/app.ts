import { Router } from '@koa/router';
import { listCompanions, listOperations, loadOpenApi } from '@hookproof/spec/openapi';
import type { Operation } from '@hookproof/spec/openapi';
import Koa from 'koa';

import { useControlInterface } from '../control/control-interface.ts';
import { cutAnswers } from '../faults/cut-answer.ts';
import { sufferFaults } from '../faults/suffer-faults.ts';
import { limitRequests } from '../limits/limit-requests.ts';
import type { Logger } from '../logger.ts';
import { useStorage } from '../storage/storage-interface.ts';
import { answerErrors } from './answer-errors.ts';
import { answerRoute } from './answer-route.ts';
import { authenticate } from './authenticate.ts';
import { checkRequest } from './check-request.ts';
import type { Handler, Services } from './handler.ts';
import { refuseUnrouted } from './refuse-unrouted.ts';
import { assignRequestId } from './request-id.ts';
import type { NewRequestId } from './request-id.ts';
import { schemaChecks } from './schema-checks.ts';
import { requireScope } from './scopes.ts';
import { validateRequest } from './validate-request.ts';

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
