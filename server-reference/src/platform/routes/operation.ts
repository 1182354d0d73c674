import { isIPv6 } from 'node:net';
import type { Socket } from 'node:net';

import type { Middleware } from 'koa';

import { respondJson, Download, JsonReply, Redirect } from '../http/response.ts';
import type { ApiRequest, Handler } from './services.ts';
import type { ValidatedState } from './validate-request.ts';

/**
 * Calls the handler of an operation and writes its reply to the response.
 *
 * @param successStatus - the status of a JSON reply; an undefined reply gets 204
 */
export function respondRoute(handler: Handler, successStatus: number): Middleware<ValidatedState> {
  return async function route(ctx) {
    const { key, params: path, query, body, form } = ctx.state;
    const { protocol, host, req: incoming, res: outgoing } = ctx;
    // An HTTP/1.0 request may have no Host.
    const origin = `${protocol}://${host === '' ? addressOf(incoming.socket) : host}`;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schemas vouch for these types
    const request = { key, path, query, body, form, origin, incoming, outgoing } as ApiRequest<
      never,
      never,
      never
    >;
    const reply = await handler(request);
    if (reply === undefined) {
      ctx.status = 204;
    } else if (reply instanceof Redirect) {
      ctx.body = null;
      ctx.status = 302;
      ctx.set('Location', reply.location);
    } else if (reply instanceof Download) {
      ctx.status = reply.status;
      ctx.set(reply.headers);
      ctx.body = reply.content;
    } else {
      const { status, body: json } =
        reply instanceof JsonReply ? reply : new JsonReply(successStatus, reply);
      ctx.status = status;
      respondJson(ctx, json);
    }
  };
}

function addressOf({ localAddress = '', localPort }: Socket): string {
  return `${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`;
}
