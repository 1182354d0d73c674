import { requireReceiver } from '../argument-checks.ts';
import type { Receiving, ReceiveRequest } from '../receive/ingress.ts';
import { bodyAlreadyRead, requestUnexpected } from '../receive/request-body.ts';

/** A handler of the Fetch standard: for Hono, Next.js, Bun, Deno and others. */
export type FetchHandler = (request: Request) => Promise<Response>;

const EMPTY = new Uint8Array(0);

const FIX =
  'Call the handler before request.json() and request.text(), or pass it request.clone().';

// Requirements: signature.raw-bytes.
/**
 * Creates a handler from a Fetch `Request` to a `Response`, as Hono, Next.js route handlers,
 * `Deno.serve` and `Bun.serve` take it. It responds to every request that reaches it. Fetch joins
 * repeated headers, so these get 401 with a code that ends in `_malformed`. The context of a
 * framework in place of its `Request` gets 500 with the problem `request_unexpected`.
 *
 * @throws {TypeError} Without a receiver.
 * @example
 * ```ts
 * import type { Receiver } from '@hookproof/receiver';
 * import { fetchHandler } from '@hookproof/receiver/fetch';
 * import type { FetchHandler } from '@hookproof/receiver/fetch';
 *
 * // In app/hooks/route.ts of Next.js: export const POST = fetchHandler(receiver);
 * export function routeHandler(receiver: Receiver): FetchHandler {
 *   return fetchHandler(receiver);
 * }
 * ```
 */
export function fetchHandler(receiver: Receiving): FetchHandler {
  requireReceiver(receiver);
  return async function hookproofHandler(request) {
    const { status, headers: sent, body: text } = await receiver.receive(requestOf(request));
    const { connection: _connection, ...others } = sent;
    return new Response(text === '' ? null : text, { status, headers: others });
  };
}

function requestOf(given: unknown): ReceiveRequest {
  if (!isRequest(given)) {
    return { method: '', headers: {}, body: requestUnexpected(adviceFor(given)) };
  }
  const { method, headers } = given;
  const body = given.bodyUsed ? bodyAlreadyRead(FIX) : (given.body ?? EMPTY);
  return { method, headers, body };
}

/** Also recognizes the requests of other realms and of polyfills. */
function isRequest(value: unknown): value is Request {
  const headers = memberOf(value, 'headers');
  return (
    typeof memberOf(value, 'method') === 'string' && typeof memberOf(headers, 'get') === 'function'
  );
}

/** Where frameworks keep the `Request` in what they pass to a handler, and the line to write. */
function adviceFor(given: unknown): string {
  const subject = 'fetchHandler() must get the Request of the Fetch standard, got';
  if (isRequest(memberOf(memberOf(given, 'req'), 'raw'))) {
    return `${subject} a context of Hono. Write (c) => handler(c.req.raw), where handler is fetchHandler(receiver).`;
  }
  if (isRequest(memberOf(given, 'request'))) {
    const frameworks = 'SvelteKit, Astro, React Router or Elysia';
    return `${subject} a context, as of ${frameworks}. Write ({ request }) => handler(request), where handler is fetchHandler(receiver).`;
  }
  if (isRequest(memberOf(given, 'req'))) {
    return `${subject} an event of h3. Write (event) => handler(event.req), where handler is fetchHandler(receiver).`;
  }
  const node = memberOf(memberOf(given, 'node'), 'req') ?? given;
  if (Array.isArray(memberOf(node, 'rawHeaders'))) {
    return `${subject} a request of Node.js. Use nodeHandler() of @hookproof/receiver/node.`;
  }
  if (Array.isArray(memberOf(memberOf(given, 'req'), 'rawHeaders'))) {
    return `${subject} a context of Koa. Use koaMiddleware() of @hookproof/receiver/koa.`;
  }
  return `${subject} another value. Pass the request that the framework got, unread.`;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
