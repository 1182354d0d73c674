import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';

import { knownOptions, requireReceiver } from '../argument-checks.ts';
import { MISDIRECTED } from '../receive/ingress.ts';
import type { Receiving } from '../receive/ingress.ts';
import { bodyOf, headersOf, isDelivery, pathMatcher } from './node-exchange.ts';
import type { KeptBytes } from './node-exchange.ts';

/** A request of `node:http`, `node:http2` or Express, with what Express and parsers add. */
export type NodeRequest = (IncomingMessage | Http2ServerRequest) &
  KeptBytes & {
    /** The address before Express took the prefix of a mount from `url`. */
    readonly originalUrl?: string;
  };

/** The parts of a response of `node:http` or `node:http2` that the handler uses. */
export interface NodeResponse {
  /** True once the response has begun: then the handler writes nothing. */
  readonly headersSent: boolean;
  /** The status of the response. */
  readonly statusCode: number;
  /** Calls a listener when the response has ended. */
  once(event: 'finish', listener: () => void): unknown;
  /** Writes status and headers. */
  writeHead(status: number, headers?: Record<string, string>): unknown;
  /** Writes the body, and ends the response. */
  end(body: string): unknown;
}

export interface NodeHandlerOptions {
  /**
   * The path of the webhook, such as `/hooks`, with or without the prefix of a mount; a query and
   * one slash at the end are ignored. Requests to other paths go to `next()`, or get 404 where
   * there is no `next`; a delivery that ends with 404 is reported. Default: every path.
   */
  readonly path?: string;
}

/** A request listener for `node:http` and `node:http2`, which is also middleware for Express. */
export type NodeHandler = (
  request: NodeRequest,
  response: NodeResponse,
  next?: (error?: unknown) => void,
) => void;

const FIX =
  'Mount nodeHandler before express.json(), or keep the bytes: express.json({ verify: (request, ' +
  '_response, bytes) => { request.rawBody = bytes; } }). In Nest, create the app with { rawBody: true }.';

// Requirements: signature.raw-bytes.
/**
 * Creates a request listener for `node:http` and `node:http2`, which is also a handler for Express.
 * Mount it before body parsers, because the signature covers the exact bytes. Behind a parser it
 * uses the bytes that were kept: by `express.raw()`, by Google Cloud Functions, or by a parser's
 * `verify` callback in `request.rawBody`. A parsed body without them gets 500 with the problem
 * `body_already_read`.
 *
 * @throws {TypeError} When `path` does not start with `/`, for another option, or without a
 *   receiver.
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import type { Receiver } from '@hookproof/receiver';
 * import { nodeHandler } from '@hookproof/receiver/node';
 *
 * export function listen(receiver: Receiver): void {
 *   createServer(nodeHandler(receiver, { path: '/hooks' })).listen(3000);
 * }
 * ```
 */
export function nodeHandler(receiver: Receiving, options: NodeHandlerOptions = {}): NodeHandler {
  requireReceiver(receiver);
  knownOptions(options, ['path']);
  const { path } = options;
  const isAtPath = pathMatcher(path);
  const watch = ({ url = '', originalUrl = url }: NodeRequest, response: NodeResponse): void => {
    // Another route of the app may still respond to it.
    response.once('finish', () => {
      if (response.statusCode === 404) receiver[MISDIRECTED]?.(originalUrl, path ?? '');
    });
  };
  const respond = async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const body = bodyOf(request, request, FIX);
    const result = await receiver.receive({ method: request.method ?? '', headers: request, body });
    if (response.headersSent) return;
    response.writeHead(result.status, headersOf(result, request.httpVersionMajor));
    response.end(result.body);
  };
  return function hookproofHandler(request, response, next) {
    if (isAtPath(request.url, request.originalUrl)) {
      respond(request, response).catch((error: unknown) => {
        // Middleware that wraps the response threw. Without a response the sender retries.
        if (next === undefined) request.destroy();
        else next(error);
      });
      return;
    }
    if (isDelivery(request, receiver)) watch(request, response);
    if (next !== undefined) {
      next();
      return;
    }
    response.writeHead(404);
    response.end('');
  };
}
