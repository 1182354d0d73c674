import type { Readable } from 'node:stream';

import type { RouterMiddleware } from '@koa/router';
import type { Context } from 'koa';

import { ApiError, invalidValue } from '../../errors.ts';
import { parseBody, readBody } from '../../http/body.ts';
import type { RequestState } from '../../http/request.ts';
import { respondJson } from '../../http/response.ts';
import type { SchemaCheck } from '../../http/schema.ts';
import { refuseFull } from '../../api/refuse-full.ts';
import { readQuery } from '../../api/validate-request.ts';
import type { ControlChecks } from './control-contract.ts';
import { readPageRequest } from './page.ts';
import type { PageRequest } from './page.ts';
import type { LabServices } from './services.ts';

/** A request that the guard and its schema accept. */
interface ControlRequest<Body> {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The part of a list that is wanted. */
  readonly page: PageRequest;
  /** The header `Last-Event-ID`; empty without one. */
  readonly lastEventId: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface ControlResponse {
  readonly status: number;
  /** Absent for 204 and for a stream. */
  readonly body?: object;
  /** Server-sent events, which end when the client disconnects. */
  readonly events?: Readable;
}

/** The handler of one operation of the control interface. */
export interface ControlRoute<Body = never> {
  /** The operation in `control.yaml`, which defines method, path, parameters and body. */
  readonly operationId: string;
  handle(request: ControlRequest<Body>): Promise<ControlResponse>;
}

/** Validates a request against its operation, calls the route and writes the response. */
export function respondControl(
  { filters, query: checkQuery, body: checkBody }: ControlChecks,
  route: ControlRoute,
  { store, settings }: Pick<LabServices, 'store' | 'settings'>,
): RouterMiddleware<RequestState> {
  const names = filters.map(({ name }) => name);

  return async function respond(ctx) {
    const gone = new AbortController();
    ctx.res.on('close', () => gone.abort());
    let body: unknown;
    if (checkBody !== null) {
      const bytes = await readBody(ctx.req, settings.bodyLimitBytes);
      body = bytes === undefined ? {} : parseBody(bytes);
      refuse(checkBody, body);
    }
    const query = readFilters(ctx.querystring, names);
    const { values, issues } = readQuery(ctx.querystring, filters);
    if (issues.length > 0) throw new ApiError(issues);
    if (Object.keys(query).length > 0) refuse(checkQuery, values);
    refuseFull(store, route.operationId, ctx.method);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema vouches for the body
    const request = {
      path: ctx.params,
      query,
      body,
      page: readPageRequest(values),
      lastEventId: ctx.get('last-event-id'),
      signal: gone.signal,
    } as ControlRequest<never>;
    const { status, body: responseBody, events } = await route.handle(request);
    ctx.status = status;
    if (events !== undefined) respondEvents(ctx, events);
    else if (responseBody !== undefined) respondJson(ctx, responseBody);
  };
}

/** Proxies must neither store the events nor hold them back. */
function respondEvents(ctx: Context, events: Readable): void {
  ctx.set('Content-Type', 'text/event-stream');
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = events;
  // Koa leaves the connection open when a stream ends before its reader.
  events.once('close', () => {
    if (!ctx.res.writableEnded) ctx.res.destroy();
  });
}

function refuse(check: SchemaCheck, value: unknown): void {
  const issues = check(value);
  if (issues.length > 0) throw new ApiError(issues);
}

/** Refuses unknown filters. Ignored, a misspelt filter would silently return more. */
function readFilters(text: string, known: readonly string[]): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (!known.includes(name)) {
      const expected = known.length === 0 ? 'none' : known.join(', ');
      throw invalidValue(name, `is an unknown query parameter; expected one of ${expected}`);
    }
    if (Object.hasOwn(filters, name)) {
      throw invalidValue(name, 'must be sent only once');
    }
    filters[name] = value;
  }
  return filters;
}
