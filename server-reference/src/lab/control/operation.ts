import type { ControlOperation } from '@hookproof/spec/control';
import type { RouterMiddleware } from '@koa/router';

import { ApiError, badRequest } from '../../platform/http/api-error.ts';
import { readBody } from '../../platform/http/body.ts';
import { respondJson } from '../../platform/http/response.ts';
import type { SchemaCheck, SchemaChecks } from '../../platform/http/schema.ts';

/** A request that the guard and its schema accept. */
export interface ControlRequest<Body> {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface ControlResponse {
  readonly status: number;
  /** Absent for 204. */
  readonly body?: object;
}

/** The handler of one operation of the control interface. */
export interface ControlRoute<Body = never> {
  /** The operation in `control.yaml`, which defines method, path, parameters and body. */
  readonly operationId: string;
  handle(request: ControlRequest<Body>): Promise<ControlResponse>;
}

/** Validates a request against its operation, calls the route and writes the response. */
export function respondControl(
  { parameters, requestBody }: ControlOperation,
  route: ControlRoute,
  checkOf: SchemaChecks,
  bodyLimitBytes: number,
): RouterMiddleware {
  const filters = parameters.filter((one) => one.in === 'query');
  const names = filters.map(({ name }) => name);
  const checkFilters = checkOf({
    properties: Object.fromEntries(filters.map(({ name, schema }) => [name, schema])),
  });
  const bodySchema = requestBody?.content['application/json']?.schema;
  const checkBody = bodySchema === undefined ? null : checkOf(bodySchema);

  return async function respond(ctx) {
    const gone = new AbortController();
    ctx.res.on('close', () => gone.abort());
    let body: unknown;
    if (checkBody !== null) {
      body = await readBody(ctx.req, ctx.res, bodyLimitBytes);
      if (body === undefined) body = {};
      await refuse(checkBody, body);
    }
    const query = readFilters(ctx.querystring, names);
    if (Object.keys(query).length > 0) await refuse(checkFilters, query);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema vouches for the body
    const request = { path: ctx.params, query, body, signal: gone.signal } as ControlRequest<never>;
    const { status, body: responseBody } = await route.handle(request);
    ctx.status = status;
    if (responseBody !== undefined) respondJson(ctx, responseBody);
  };
}

async function refuse(check: SchemaCheck, value: unknown): Promise<void> {
  const issues = await check(value);
  if (issues.length > 0) throw new ApiError(400, issues);
}

/** Refuses unknown filters. Ignored, a misspelt filter would silently return more. */
function readFilters(text: string, known: readonly string[]): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (!known.includes(name)) {
      const expected = known.length === 0 ? 'none' : known.join(', ');
      throw badRequest(
        'invalid_value',
        name,
        `is an unknown query parameter; expected one of ${expected}`,
      );
    }
    if (Object.hasOwn(filters, name)) {
      throw badRequest('invalid_value', name, 'must be sent only once');
    }
    filters[name] = value;
  }
  return filters;
}
