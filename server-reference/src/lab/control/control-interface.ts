import type { Router } from '@koa/router';
import Koa from 'koa';
import type { Middleware } from 'koa';
import compose from 'koa-compose';

import { respondErrors } from '../../http/error-exit.ts';
import { checkRequest } from '../../http/request.ts';
import type { HostRule, RequestState } from '../../http/request.ts';
import { createRouter, refuseUnrouted } from '../../http/router.ts';
import { activityRoutes } from './activity.ts';
import { clockRoutes } from './clock.ts';
import { CONTROL_OPERATIONS } from './control-contract.ts';
import { deliveryRoutes } from './deliveries.ts';
import { faultRoutes } from './faults.ts';
import { endpointRoutes } from './endpoints.ts';
import { eventRoutes } from './events.ts';
import { keyRoutes } from './keys.ts';
import { limitRoutes } from './limits.ts';
import { guardControl } from './guard.ts';
import { respondControl } from './operation.ts';
import type { Logger } from '../../logger.ts';
import type { LabServices } from './services.ts';
import type { ControlRoute } from './operation.ts';
import { runRoutes } from './runs.ts';
import { scenarioRoutes } from './scenarios.ts';
import { waitRoutes } from './wait.ts';
import { worldRoutes } from './worlds.ts';

/** The path prefix of the control interface. */
export const CONTROL_PREFIX = '/_control';

interface ControlOptions {
  readonly services: LabServices;
  readonly token: string;
  readonly servesHost: HostRule;
  readonly corsOrigins: ReadonlySet<string>;
  readonly logger: Logger;
}

/** Returns the routes of the control interface. */
export function controlRoutes(services: LabServices): readonly ControlRoute[] {
  return [
    ...worldRoutes(services),
    ...keyRoutes(services),
    ...runRoutes(services),
    ...endpointRoutes(services),
    ...eventRoutes(services),
    ...scenarioRoutes(services),
    ...deliveryRoutes(services),
    ...limitRoutes(services),
    ...faultRoutes(services),
    ...clockRoutes(services),
    ...waitRoutes(services),
    ...activityRoutes(services),
  ];
}

/** Serves the control interface. Each request passes error exit, form, token and operation. */
export function controlInterface({
  services,
  token,
  servesHost,
  corsOrigins,
  logger,
}: ControlOptions): Middleware<RequestState> {
  const control = new Koa<RequestState>();
  control.use(respondErrors(logger));
  control.use(checkRequest(null));
  control.use(guardControl(token, servesHost, corsOrigins));
  control.use(controlRouter(services).routes());
  control.use(refuseUnrouted);
  return compose(control.middleware);
}

function controlRouter(services: LabServices): Router<RequestState> {
  const router = createRouter<RequestState>();
  for (const route of controlRoutes(services)) {
    const operation = CONTROL_OPERATIONS.get(route.operationId);
    if (operation === undefined) {
      throw new TypeError(`control.yaml has no operation ${route.operationId}.`);
    }
    router.register(
      CONTROL_PREFIX + operation.route,
      [operation.method],
      respondControl(operation, route, services),
    );
  }
  return router;
}
