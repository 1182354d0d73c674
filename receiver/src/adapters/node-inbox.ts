import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request listener for `node:http`, which is also middleware for Express. */
export type NodeInbox<Incoming extends IncomingMessage = IncomingMessage> = (
  request: Incoming,
  response: ServerResponse,
  next?: (error: unknown) => void,
) => void;

/**
 * Makes an inbox a request listener for `node:http` and Express. Mount it on every path below one
 * address, and before or behind body parsers. `authorize` gets the request of Node.js or Express as
 * its second argument. What it throws goes to `next`; without a `next` the response is 500 with the
 * code `inbox_failed`.
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
    const { status, headers, body } = await inbox(requestOf(incoming), incoming);
    const cookies = headers.getSetCookie();
    response.writeHead(status, {
      ...Object.fromEntries(headers),
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    });
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

function requestOf(incoming: IncomingMessage & { readonly body?: unknown }): Request {
  const { method = 'GET', url = '/', headers } = incoming;
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':')) sent.set(name, [value].flat().join(', '));
  }
  const scheme = isSecure(incoming) ? 'https' : 'http';
  const address = new URL(url.replace(/^[^?]*/, ''), `${scheme}://${headers.host ?? 'localhost'}/`);
  if (method === 'GET' || method === 'HEAD') return new Request(address, { method, headers: sent });
  // A parser in front of it may have read the body.
  const body = incoming.readableDidRead ? JSON.stringify(incoming.body) : unread(incoming);
  return new Request(address, { method, headers: sent, body, duplex: 'half' });
}

/** A stranger who claims it only makes the cookie of his own browser useless. */
function isSecure({ socket, headers }: IncomingMessage): boolean {
  if ('encrypted' in socket && socket.encrypted === true) return true;
  return [headers['x-forwarded-proto']].flat()[0]?.split(',', 1)[0]?.trim() === 'https';
}

/**
 * Reads nothing before the inbox does, and leaves the rest unread: the response needs the
 * connection.
 */
function unread(incoming: IncomingMessage): ReadableStream {
  return ReadableStream.from(incoming.iterator({ destroyOnReturn: false }));
}
