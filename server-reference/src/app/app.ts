import { Router } from '@koa/router';
import { listOperations, loadOpenApi } from '@hookproof/spec/openapi';
import Koa from 'koa';

import { useControlInterface } from '../control/control-interface.ts';
import type { Logger } from '../logger.ts';
import type { Sender } from '../sender/sender.ts';
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
  readonly sender: Sender;
  /** The address that the server listens at. */
  readonly host: string;
  readonly bodyLimitBytes: number;
  readonly logger: Logger;
}

/**
 * The way of every request: id, error exit, form, key, scope, schemas, route. What is below `/_control`
 * turns off before the key.
 */
export function createApp(parts: AppParts): Koa {
  const { store, handlers, bodyLimitBytes, logger } = parts;
  const document = loadOpenApi();
  const checkOf = schemaChecks(document);

  const routes = new Router({ strict: true, sensitive: true });
  for (const operation of listOperations(document)) {
    const { operationId, method, path } = operation;
    const handler = handlers[operationId];
    if (handler === undefined) continue;
    routes.register(
      path.replaceAll(/\{(\w+)\}/g, ':$1'),
      [method],
      [
        requireScope(operationId),
        validateRequest(operation, checkOf, bodyLimitBytes),
        answerRoute(handler),
      ],
    );
  }

  const app = new Koa();
  app.on('error', (error: unknown) => logger.error('an answer could not be finished', error));
  app.use(assignRequestId());
  app.use(answerErrors(logger));
  app.use(checkRequest());
  useControlInterface(app, { ...parts, token: store.state.controlToken, checkOf });
  app.use(authenticate(store));
  app.use(routes.routes());
  app.use(refuseUnrouted(routes));
  return app;
}
