import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { request } from 'undici';

type Headers = Readonly<Record<string, string | string[]>>;

/** A request and its response, as they were on the wire. */
export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly requestHeaders: Headers;
  readonly requestBody: Buffer;
  readonly status: number;
  readonly responseHeaders: Headers;
  readonly responseBody: Buffer;
}

/** An HTTP server of a test. */
export interface LocalServer {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Headers that belong to one connection. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'expect', 'host']);

/** Starts a proxy of a server that adds each exchange to `exchanges`. */
export function recordExchanges(baseUrl: string, exchanges: Exchange[]): Promise<LocalServer> {
  return listen(async (incoming, outgoing) => {
    const { method = 'GET', url: target = '/' } = incoming;
    const requestHeaders = endToEnd(incoming.headers);
    const requestBody = await buffer(incoming);
    const { statusCode, headers, body } = await request(baseUrl + target, {
      method,
      headers: requestHeaders,
      body: requestBody.length === 0 ? null : requestBody,
    });
    const exchange = {
      method,
      target,
      requestHeaders,
      requestBody,
      status: statusCode,
      responseHeaders: endToEnd(headers),
      responseBody: Buffer.from(await body.arrayBuffer()),
    };
    exchanges.push(exchange);
    respond(outgoing, exchange);
  });
}

/** Names the exchange whose response is played back. */
const EXCHANGE_HEADER = 'x-exchange';

/** Starts a server that sends the recorded response of the exchange that a request names. */
export function playBack(exchanges: readonly Exchange[]): Promise<LocalServer> {
  return listen(async (incoming, outgoing) => {
    incoming.resume();
    const exchange = exchanges[Number(incoming.headers[EXCHANGE_HEADER])];
    if (exchange === undefined) outgoing.writeHead(500).end();
    else respond(outgoing, exchange);
  });
}

/** The headers with which the request of an exchange is sent again. */
export function headersOf({ requestHeaders }: Exchange, index: number): Headers {
  return { ...requestHeaders, [EXCHANGE_HEADER]: String(index) };
}

function respond(
  outgoing: ServerResponse,
  { status, responseHeaders, responseBody }: Exchange,
): void {
  outgoing.writeHead(status, responseHeaders).end(responseBody);
}

function endToEnd(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP.has(name) ? [] : [[name, value]],
    ),
  );
}

async function listen(
  handle: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
): Promise<LocalServer> {
  const server: Server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch((error: unknown) =>
      outgoing.destroy(new Error(String(error))),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens at a port
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
