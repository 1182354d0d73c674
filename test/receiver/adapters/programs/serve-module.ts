import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';

import { getRequestListener } from '@hono/node-server';
import type { FetchHandler } from '@hookproof/receiver/fetch';
import type { LambdaHandler } from '@hookproof/receiver/lambda';

/** What a platform calls: Deno and Bun, or AWS Lambda. */
interface PlatformModule {
  readonly default?: { readonly fetch: FetchHandler };
  readonly handler?: LambdaHandler;
}

/** Stands in for the platform: serves the module whose path is the first argument. */
const [, , path = ''] = process.argv;
const platformModule: PlatformModule = await import(path);
const { default: exported, handler } = platformModule;
const server = createServer(listenerOf(exported?.fetch));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`listening ${inspect(server.address())}\n`);

function listenerOf(fetchHandler: FetchHandler | undefined): RequestListener {
  if (fetchHandler !== undefined) {
    const listener = getRequestListener(fetchHandler);
    return (request, response) => void listener(request, response);
  }
  if (handler === undefined) throw new Error('The module must export default.fetch or handler.');
  return (request, response) => void invoke(handler, request, response);
}

/** As an HTTP API does. */
async function invoke(
  call: LambdaHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { statusCode, headers, body } = await call(await eventOf(request));
  response.writeHead(statusCode, { ...headers, 'content-length': body.length }).end(body);
}

async function eventOf(request: IncomingMessage): Promise<Parameters<LambdaHandler>[0]> {
  const body = await buffer(request);
  const headers = Object.entries(request.headersDistinct);
  return {
    requestContext: { http: { method: request.method ?? '' } },
    headers: Object.fromEntries(headers.map(([name, values]) => [name, values?.join(',')])),
    body: body.toString('base64'),
    isBase64Encoded: true,
  };
}
