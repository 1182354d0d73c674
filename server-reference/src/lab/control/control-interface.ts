import Koa from 'koa';
import type { Middleware } from 'koa';
import compose from 'koa-compose';

import { respondErrors } from '../../platform/http/error-exit.ts';
import { checkRequest } from '../../platform/http/request.ts';
import type { HostRule, RequestState } from '../../platform/http/request.ts';
import { RouteTable, unrouted } from '../../platform/http/route-table.ts';
import type { RoutedState } from '../../platform/http/route-table.ts';
import { CONTROL_PREFIX } from '../prefixes.ts';
import { activityRoutes } from './activity.ts';
import { clockRoutes } from './clock.ts';
import { CONTROL_OPERATIONS } from './control-contract.ts';
import { deliveryRoutes } from './deliveries.ts';
import { deliveryFaultRoutes } from './delivery-faults.ts';
import { endpointResultRoutes } from './endpoint-results.ts';
import { endpointRoutes } from './endpoints.ts';
import { eventRoutes } from './events.ts';
import { exampleRoutes } from './examples.ts';
import { apiFaultRoutes } from './api-faults.ts';
import { keyRoutes } from './keys.ts';
import { limitRoutes } from './limits.ts';
import { guardControl } from './guard.ts';
import { respondControl } from './operation.ts';
import type { Logger } from '../../platform/logger.ts';
import type { LabServices } from './services.ts';
import type { ControlRoute } from './operation.ts';
import { runRoutes } from './runs.ts';
import { sinkRoutes } from './sinks.ts';
import { waitRoutes } from './wait.ts';
import { targetRoutes } from './targets.ts';
import { worldRoutes } from './worlds.ts';

export interface ControlOptions {
  readonly services: LabServices;
  readonly token: string;
  readonly servesHost: HostRule;
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
    ...endpointResultRoutes(services),
    ...targetRoutes(services),
    ...eventRoutes(services),
    ...deliveryRoutes(services),
    ...sinkRoutes(services),
    ...limitRoutes(services),
    ...apiFaultRoutes(services),
    ...deliveryFaultRoutes(services),
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
  logger,
}: ControlOptions): Middleware<RequestState> {
  const control = new Koa<RequestState>();
  control.use(respondErrors(logger));
  control.use(checkRequest(null));
  control.use(guardControl(token, servesHost));
  control.use(serveRoute(controlTable(services)));
  return compose(control.middleware);
}

function serveRoute(routes: RouteTable<Middleware<RoutedState>>): Middleware<RoutedState> {
  return async function route(ctx, next) {
    const match = routes.find(ctx.method, ctx.path);
    if (match.target === null) throw unrouted(ctx.method, match.methods);
    ctx.state.params = match.params;
    await match.target(ctx, next);
  };
}

function controlTable(services: LabServices): RouteTable<Middleware<RoutedState>> {
  const table = new RouteTable<Middleware<RoutedState>>();
  for (const route of controlRoutes(services)) {
    const operation = CONTROL_OPERATIONS.get(route.operationId);
    if (operation === undefined) {
      throw new TypeError(`control.yaml has no operation ${route.operationId}.`);
    }
    table.add(
      operation.method,
      CONTROL_PREFIX + operation.route,
      respondControl(operation, route, services.settings.bodyLimitBytes),
    );
  }
  return table;
}
