import { listControlOperations, loadControl } from '@hookproof/spec/control';
import { Router } from '@koa/router';
import type Koa from 'koa';

import { belowPrefix, refuseUnrouted } from '../../platform/http/mount.ts';
import { schemaChecks } from '../../platform/http/schema.ts';
import type { Services } from '../../platform/routes/services.ts';
import { clockRoutes } from './clock.ts';
import { deliveryRoutes, eventRoutes } from './deliveries.ts';
import { pathologyRoutes } from './delivery-faults.ts';
import { endpointRoutes } from './endpoints.ts';
import { exampleRoutes } from './examples.ts';
import { faultRoutes, limitRoutes } from './faults.ts';
import { guardControl } from './guard.ts';
import { answerControl } from './operation.ts';
import type { ControlRoute } from './operation.ts';
import { runRoutes } from './runs.ts';
import { sinkRoutes } from './sinks.ts';
import { waitRoutes } from './wait.ts';
import { keyRoutes, worldRoutes } from './worlds.ts';

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
