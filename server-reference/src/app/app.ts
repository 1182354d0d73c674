import { Router } from '@koa/router';
import { listCompanions, listOperations, loadOpenApi } from '@hookproof/spec/openapi';
import type { Operation } from '@hookproof/spec/openapi';
import Koa from 'koa';

import { useControlInterface } from '../control/control-interface.ts';
import type { Logger } from '../logger.ts';
import { useStorage } from '../storage/storage-interface.ts';
import { answerErrors } from './answer-errors.ts';
import { answerRoute } from './answer-route.ts';
import { authenticate } from './authenticate.ts';
import { checkRequest } from './check-request.ts';
import type { Handler, Services } from './handler.ts';
import { refuseUnrouted } from './refuse-unrouted.ts';
import { assignRequestId } from './request-id.ts';
import { schemaChecks } from './schema-checks.ts';
import { requireScope } from './scopes.ts';
import { validateRequest } from './validate-request.ts';

interface AppParts extends Services {
  /** By operationId of the contract; an operation without a handler is an unknown path. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** The address that the server listens at. */
  readonly host: string;
  readonly logger: Logger;
}

/**
 * The way of every request: id, error exit, form, key, scope, schemas, route. What is below `/_control`
 * or `/_storage` turns off before the key.
 */
export function createApp(parts: AppParts): Koa {
  const { store, clock, handlers, settings, logger } = parts;
  const document = loadOpenApi();
  const checkOf = schemaChecks(document);

  const routes = new Router({ strict: true, sensitive: true });
  for (const operation of [...listOperations(document), ...listCompanions(document)]) {
    const { operationId, method } = operation;
    const handler = handlers[operationId];
    if (handler === undefined) continue;
    routes.register(
      routePath(operation),
      [method],
      [
        requireScope(operationId),
        validateRequest(operation, checkOf, settings.bodyLimitBytes),
        answerRoute(handler, successStatus(operation)),
      ],
    );
  }

  const app = new Koa();
  app.on('error', (error: unknown) => logger.error('an answer could not be finished', error));
  app.use(assignRequestId());
  app.use(answerErrors(logger));
  app.use(checkRequest());
  useControlInterface(app, { ...parts, token: store.state.controlToken, checkOf });
  useStorage(app, parts);
  app.use(authenticate(store, clock));
  app.use(routes.routes());
  app.use(refuseUnrouted(routes));
  return app;
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
