import { listControlOperations, loadControl } from '@hookproof/spec/control';
import { Router } from '@koa/router';
import Koa from 'koa';
import type { Middleware } from 'koa';
import compose from 'koa-compose';

import { isBelow, refuseUnrouted } from '../../platform/http/mount.ts';
import { respondErrors } from '../../platform/http/error-exit.ts';
import { checkRequest } from '../../platform/http/request.ts';
import type { RequestState } from '../../platform/http/request.ts';
import { schemaChecks } from '../../platform/http/schema.ts';
import { clockRoutes } from './clock.ts';
import { deliveryRoutes, eventRoutes } from './deliveries.ts';
import { deliveryFaultRoutes } from './delivery-faults.ts';
import { endpointRoutes } from './endpoints.ts';
import { exampleRoutes } from './examples.ts';
import { apiFaultRoutes } from './api-faults.ts';
import { limitRoutes } from './limits.ts';
import { guardControl } from './guard.ts';
import { respondControl } from './operation.ts';
import type { Logger } from '../../platform/logger.ts';
import type { LabServices } from './services.ts';
import type { ControlRoute } from './operation.ts';
import { runRoutes } from './runs.ts';
import { sinkRoutes } from './sinks.ts';
import { waitRoutes } from './wait.ts';
import { keyRoutes, worldRoutes } from './worlds.ts';

/** The path prefix of the control interface. */
export const CONTROL_PREFIX = '/_control';

export interface ControlOptions {
  readonly services: LabServices;
  readonly token: string;
  /** The address that the server listens at. */
  readonly host: string;
  readonly logger: Logger;
}

/** Returns the routes of the control interface. */
export function controlRoutes(services: LabServices): readonly ControlRoute[] {
  return [
    ...worldRoutes(services),
    ...keyRoutes(services),
    ...runRoutes(services),
    ...exampleRoutes(services),
    ...endpointRoutes(services),
    ...eventRoutes(services),
    ...deliveryRoutes(services),
    ...sinkRoutes(services),
    ...limitRoutes(services),
    ...apiFaultRoutes(services),
    ...deliveryFaultRoutes(services),
    ...clockRoutes(services),
    ...waitRoutes(services),
  ];
}

/**
 * Serves the control interface. Each request passes error exit, form, token and operation. `elsewhere` handles
 * other paths.
 */
export function controlInterface(
  { services, token, host, logger }: ControlOptions,
  elsewhere: Middleware<RequestState>,
): Middleware<RequestState> {
  const router = controlRouter(services);
  const control = new Koa<RequestState>();
  control.use(respondErrors(logger));
  control.use(checkRequest());
  control.use(guardControl(token, host));
  control.use(router.routes());
  control.use(refuseUnrouted(router));
  const serve = compose(control.middleware);
  return function controlOrElsewhere(ctx, next) {
    return isBelow(CONTROL_PREFIX, ctx.path) ? serve(ctx, next) : elsewhere(ctx, next);
  };
}

function controlRouter(services: LabServices): Router {
  const document = loadControl();
  const checkOf = schemaChecks(document);
  const operations = new Map(
    listControlOperations(document).map((operation) => [operation.operationId, operation]),
  );
  const router = new Router({ prefix: CONTROL_PREFIX, strict: true, sensitive: true });
  for (const route of controlRoutes(services)) {
    const operation = operations.get(route.operationId);
    if (operation === undefined) {
      throw new TypeError(`control.yaml has no operation ${route.operationId}.`);
    }
    router.register(
      operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      [operation.method],
      [respondControl(operation, route, checkOf, services.settings.bodyLimitBytes)],
    );
  }
  return router;
}
