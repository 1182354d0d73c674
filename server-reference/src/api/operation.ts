import type { Middleware } from 'koa';

import { originOf } from '../http/request.ts';
import {
  Download,
  JsonResponse,
  Redirect,
  respondDownload,
  respondJson,
} from '../http/response.ts';
import type { ApiRequest, Handler } from './services.ts';
import type { ValidatedState } from './validate-request.ts';

/**
 * Calls the handler of an operation and writes its result to the response.
 *
 * @param successStatus - the status of a JSON response; an undefined result gets 204
 */
export function respondRoute(handler: Handler, successStatus: number): Middleware<ValidatedState> {
  return async function route(ctx) {
    const { key, query, body, form } = ctx.state;
    const { params: path, req: incoming, res: outgoing } = ctx;
    const origin = originOf(ctx);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schemas vouch for these types
    const request = { key, path, query, body, form, origin, incoming, outgoing } as ApiRequest<
      never,
      never,
      never
    >;
    const result = await handler(request);
    if (result === undefined) {
      ctx.status = 204;
    } else if (result instanceof Redirect) {
      ctx.body = null;
      ctx.status = 302;
      ctx.set('Location', result.location);
    } else if (result instanceof Download) {
      await respondDownload(ctx, result);
    } else {
      const { status, body: json } =
        result instanceof JsonResponse ? result : new JsonResponse(successStatus, result);
      ctx.status = status;
      respondJson(ctx, json);
    }
  };
}
