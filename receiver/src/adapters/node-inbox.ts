import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request listener for `node:http`, which is also middleware for Express. */
export type NodeInbox<Incoming extends IncomingMessage = IncomingMessage> = (
  request: Incoming,
  response: ServerResponse,
  next?: (error: unknown) => void,
) => void;

/** The inbox refuses a longer body. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Makes an inbox a request listener for `node:http` and Express. Mount it on every path below one address, and before
 * or behind body parsers. `authorize` gets the request of Node.js or Express as its second argument. What it throws goes
 * to `next`; without a `next` the response is 500 with the code `inbox_failed`.
 *
 * @example
 * ```ts
 * import type { Receiver } from '@hookproof/receiver';
 * import { createInbox, nodeInbox } from '@hookproof/receiver/inbox';
 * import express from 'express';
 *
 * export function mount(receiver: Receiver, admin: string): void {
 *   const inbox = createInbox<express.Request>(receiver, {
 *     authorize: (_request, incoming) => incoming?.get('x-forwarded-user') === admin,
 *   });
 *   express().use('/admin/hooks', nodeInbox(inbox)).listen(3000);
 * }
 * ```
 */
export function nodeInbox<Incoming extends IncomingMessage>(
  inbox: (request: Request, incoming?: Incoming) => Promise<Response>,
): NodeInbox<Incoming> {
  if (typeof inbox !== 'function') {
    throw new TypeError(`inbox must be what createInbox() returned, got ${typeof inbox}.`);
  }
  const respond = async (incoming: Incoming, response: ServerResponse): Promise<void> => {
    const { status, headers, body } = await inbox(await requestOf(incoming), incoming);
    response.writeHead(status, Object.fromEntries(headers));
    if (body !== null) for await (const chunk of body) response.write(chunk);
    response.end();
  };
  return (incoming, response, next) => {
    respond(incoming, response).catch((error: unknown) => {
      if (next !== undefined && !response.headersSent) return next(error);
      if (response.headersSent) return response.end();
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end('{"code":"inbox_failed"}');
    });
  };
}

async function requestOf(
  incoming: IncomingMessage & { readonly body?: unknown },
): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming;
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':')) sent.set(name, [value].flat().join(', '));
  }
  const address = new URL(url.replace(/^[^?]*/, ''), `http://${headers.host ?? 'localhost'}/`);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  // A parser in front of it may have read the body.
  const body = !hasBody
    ? null
    : incoming.readableDidRead
      ? JSON.stringify(incoming.body)
      : await bytesOf(incoming);
  return new Request(address, { method, headers: sent, body });
}

async function bytesOf(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // The response goes over the same connection, so the rest is left unread rather than cut off.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue;
    length += chunk.length;
    chunks.push(chunk);
    if (length > MAX_BODY_BYTES) break;
  }
  return new Uint8Array(Buffer.concat(chunks));
}
