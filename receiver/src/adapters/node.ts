import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Receiver } from '../create-receiver.ts';
import { readNodeBody } from './read-node-body.ts';

/** A request of `node:http`, or of a framework on it, whose parser may have left a `body`. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown };

/**
 * A request listener for `node:http`, which is also a route of Express. It answers every request
 * it gets, whatever the path. Nothing may read or parse the body before it.
 */
export function nodeHandler(
  receiver: Pick<Receiver, 'receive'>,
): (request: NodeRequest, response: ServerResponse) => void {
  const answer = async (request: NodeRequest, response: ServerResponse): Promise<void> => {
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
    void answer(request, response);
  };
}
