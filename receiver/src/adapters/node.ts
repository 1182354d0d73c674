import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Receiver } from '../create-receiver.ts';
import { readNodeBody } from './read-node-body.ts';

/** A request of `node:http` or of a framework on it, whose parser may have stored a `body`. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown };

/**
 * Creates a request listener for `node:http`, which is also a route handler for Express. It responds
 * to every request that reaches it, on any path. Mount it before body parsers such as
 * `express.json()`: the signature covers the exact bytes, and a parsed body gets 500 with the problem
 * `body_already_read`.
 *
 * Requirements: `signature.raw-bytes`.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import type { Receiver } from '@hookproof/receiver';
 * import { nodeHandler } from '@hookproof/receiver/node';
 *
 * export function listen(receiver: Receiver): void {
 *   createServer(nodeHandler(receiver)).listen(3000);
 * }
 * ```
 */
export function nodeHandler(
  receiver: Pick<Receiver, 'receive'>,
): (request: NodeRequest, response: ServerResponse) => void {
  const respond = async (request: NodeRequest, response: ServerResponse): Promise<void> => {
    const { status, headers, body } = await receiver.receive({
      method: request.method ?? '',
      contentType: request.headers['content-type'],
      headers: request,
      body: (limits) => readNodeBody(request, request.body, limits),
    });
    if (response.headersSent) return;
    response.writeHead(status, headers);
    response.end(body);
  };
  return function hookproofHandler(request, response) {
    void respond(request, response);
  };
}
