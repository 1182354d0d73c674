import { Router } from '@koa/router';
import { listControlOperations, loadControl } from '@hookproof/spec/control';
import type Koa from 'koa';

import { belowPrefix } from '../app/below-prefix.ts';
import { refuseUnrouted } from '../app/refuse-unrouted.ts';
import { schemaChecks } from '../app/schema-checks.ts';
import { answerControl } from './answer-control.ts';
import { clockRoutes } from './clock-routes.ts';
import type { ControlRoute } from './control-route.ts';
import type { Services } from '../app/handler.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { faultRoutes } from './fault-routes.ts';
import { exampleRoutes } from './example-routes.ts';
import { guardControl } from './guard.ts';
import { keyRoutes } from './key-routes.ts';
import { limitRoutes } from './limit-routes.ts';
import { pathologyRoutes } from './pathology-routes.ts';
import { runRoutes } from './run-routes.ts';
import { sinkRoutes } from './sink-routes.ts';
import { waitRoutes } from './wait-routes.ts';
import { worldRoutes } from './world-routes.ts';

/** Where the control interface stands on the server. */
export const CONTROL_PREFIX = '/_control';

export interface ControlOptions extends Services {
  readonly token: string;
  /** The address that the server listens at. */
  readonly host: string;
}

/** What answers the operations of the control interface. */
export function controlRoutes(services: Services): readonly ControlRoute[] {
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
    ...faultRoutes(services),
    ...pathologyRoutes(services),
    ...clockRoutes(services),
    ...waitRoutes(services),
  ];
}

/** Puts the control interface into the app: guard, routes, refusal. Other paths pass it by. */
export function useControlInterface(app: Koa, options: ControlOptions): void {
  const document = loadControl();
  const checkOf = schemaChecks(document);
  const operations = new Map(
    listControlOperations(document).map((operation) => [operation.operationId, operation]),
  );
  const router = new Router({ prefix: CONTROL_PREFIX, strict: true, sensitive: true });
  for (const route of controlRoutes(options)) {
    const operation = operations.get(route.operationId);
    if (operation === undefined) {
      throw new TypeError(`control.yaml has no operation ${route.operationId}`);
    }
    router.register(
      operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      [operation.method],
      [answerControl(operation, route, checkOf, options.settings.bodyLimitBytes)],
    );
  }
  app.use(belowPrefix(CONTROL_PREFIX, guardControl(options.token, options.host)));
  app.use(router.routes());
  app.use(belowPrefix(CONTROL_PREFIX, refuseUnrouted(router)));
}
