import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { headerPairs, rawHeaders } from '@hookproof/conformance/hooks';
import type { Between, Hooks, Incoming, Outgoing } from '@hookproof/conformance/hooks';
import { Agent, request as send } from 'undici';

/** A proxy in front of a target. */
export interface Proxy {
  /** The address of the proxy, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Where a proxy listens, and what it leads to. */
export interface ProxyOptions {
  /** The origin that requests are passed to. */
  readonly target: string;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Default 0: a free port. */
  readonly port?: number;
  /** Paths that begin with this prefix belong to the control interface. Default: none. */
  readonly controlPrefix?: string;
}

/** Headers between two neighbors, which a proxy does not pass on. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/**
 * Starts a proxy that puts the hooks `api` and `control` between its clients and the target.
 *
 * @example
 * ```ts
 * import { defects, openTransformations, startProxy } from '@hookproof/conformance/proof';
 *
 * const known = { keys: {}, receiverSecret: undefined, random: Math.random };
 * const hooks = openTransformations(defects.slice(0, 1), known);
 * const { url } = await startProxy(hooks, { target: 'https://api.example.com' });
 * console.log(url);
 * ```
 */
export async function startProxy(hooks: Hooks, options: ProxyOptions): Promise<Proxy> {
  const { target, host = '127.0.0.1', port = 0, controlPrefix } = options;
  const agent = new Agent();
  const pass = (request: Outgoing): Promise<Incoming> => passTo(agent, request);
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '/';
    const isControl = controlPrefix !== undefined && path.startsWith(controlPrefix);
    const between: Between =
      (isControl ? hooks.control : hooks.api) ?? ((request, next) => next(request));
    read(incoming, target)
      .then(async (request) => write(response, await between(request, pass)))
      .catch(() => incoming.socket.resetAndDestroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const at = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://${host}:${at}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await agent.destroy();
    },
  };
}

/** No time limit: the client of the proxy has its own. */
async function passTo(
  dispatcher: Agent,
  { method, url, headers, body }: Outgoing,
): Promise<Incoming> {
  const response = await send(url, {
    method,
    headers: headers.flat(),
    body,
    dispatcher,
    headersTimeout: 0,
    bodyTimeout: 0,
    responseHeaders: 'raw',
  });
  const bytes = new Uint8Array(await response.body.arrayBuffer());
  return { status: response.statusCode, headers: headerPairs(rawHeaders(response.headers)), bytes };
}

async function read(incoming: IncomingMessage, target: string): Promise<Outgoing> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const headers = headerPairs(incoming.rawHeaders).filter(
    ([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && name.toLowerCase() !== 'host',
  );
  const body = chunks.length === 0 ? null : Buffer.concat(chunks);
  return { method: incoming.method ?? 'GET', url: target + (incoming.url ?? '/'), headers, body };
}

function write(response: ServerResponse, { status, headers, bytes }: Incoming): void {
  const passed = headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !HOP_BY_HOP.has(lower) && lower !== 'content-length';
  });
  const length =
    status === 204 || status === 304 ? [] : ['content-length', String(bytes.byteLength)];
  response.writeHead(status, [...passed.flat(), ...length]).end(bytes);
}
