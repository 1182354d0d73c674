import { Router } from '@koa/router';
import type { RouterMiddleware } from '@koa/router';
import type Koa from 'koa';

import { ApiError, badRequest } from '../app/api-error.ts';
import { answerJson } from '../app/answer-json.ts';
import { belowPrefix } from '../app/below-prefix.ts';
import { readBody } from '../app/read-body.ts';
import { refuseUnrouted } from '../app/refuse-unrouted.ts';
import type { SchemaCheck, SchemaChecks } from '../app/schema-checks.ts';
import { clockRoutes } from './clock-routes.ts';
import type { ControlRequest, ControlRoute } from './control-route.ts';
import type { Services } from '../app/handler.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { faultRoutes } from './fault-routes.ts';
import { exampleRoutes } from './example-routes.ts';
import { guardControl } from './guard.ts';
import { keyRoutes } from './key-routes.ts';
import { limitRoutes } from './limit-routes.ts';
import { runRoutes } from './run-routes.ts';
import { waitRoutes } from './wait-routes.ts';
import { worldRoutes } from './world-routes.ts';

/** Where the control interface stands on the server. */
export const CONTROL_PREFIX = '/_control';

export interface ControlOptions extends Services {
  readonly token: string;
  /** The address that the server listens at. */
  readonly host: string;
  readonly checkOf: SchemaChecks;
}

/** Every operation of the control interface; `CONTROL.md` describes them one by one. */
export function controlRoutes(services: Services): readonly ControlRoute[] {
  return [
    ...worldRoutes(services),
    ...keyRoutes(services),
    ...runRoutes(services),
    ...exampleRoutes(services),
    ...endpointRoutes(services),
    ...eventRoutes(services),
    ...deliveryRoutes(services),
    ...limitRoutes(services),
    ...faultRoutes(services),
    ...clockRoutes(services),
    ...waitRoutes(services),
  ];
}

/** Puts the control interface into the app: guard, routes, refusal. Other paths pass it by. */
export function useControlInterface(app: Koa, options: ControlOptions): void {
  const router = new Router({ prefix: CONTROL_PREFIX, strict: true, sensitive: true });
  for (const route of controlRoutes(options)) {
    const check = route.bodySchema === undefined ? null : options.checkOf(route.bodySchema);
    router.register(
      route.path,
      [route.method],
      [answerControl(route, check, options.settings.bodyLimitBytes)],
    );
  }
  app.use(belowPrefix(CONTROL_PREFIX, guardControl(options.token, options.host)));
  app.use(router.routes());
  app.use(belowPrefix(CONTROL_PREFIX, refuseUnrouted(router)));
}

function answerControl(
  route: ControlRoute,
  check: SchemaCheck | null,
  bodyLimitBytes: number,
): RouterMiddleware {
  return async function answer(ctx) {
    const gone = new AbortController();
    ctx.res.on('close', () => gone.abort());
    let body: unknown;
    if (check !== null) {
      body = await readBody(ctx.req, ctx.res, bodyLimitBytes);
      if (body === undefined) body = {};
      const issues = await check(body);
      if (issues.length > 0) throw new ApiError(400, issues);
    }
    const query = readFilters(ctx.querystring, route.query ?? []);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema vouches for the body
    const request = { path: ctx.params, query, body, signal: gone.signal } as ControlRequest<never>;
    const { status, body: answerBody } = await route.handle(request);
    ctx.status = status;
    if (answerBody !== undefined) answerJson(ctx, answerBody);
  };
}

/** A filter that is not known is refused: passed over, it would widen the answer unnoticed. */
function readFilters(text: string, known: readonly string[]): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (!known.includes(name)) {
      const expected = known.length === 0 ? 'none' : known.join(', ');
      throw badRequest('invalid_value', name, `is not a query parameter here; known: ${expected}`);
    }
    if (Object.hasOwn(filters, name)) {
      throw badRequest('invalid_value', name, 'is given more than once');
    }
    filters[name] = value;
  }
  return filters;
}
