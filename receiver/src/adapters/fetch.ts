import { requireReceiver } from '../argument-checks.ts';
import type { Receiving } from '../receive/ingress.ts';
import { bodyAlreadyRead } from '../receive/request-body.ts';

/** A handler of the Fetch standard: for Hono, Next.js, Bun, Deno and others. */
export type FetchHandler = (request: Request) => Promise<Response>;

const EMPTY = new Uint8Array(0);

const FIX =
  'Call the handler before request.json() and request.text(), or pass it request.clone().';

/**
 * Creates a handler from a Fetch `Request` to a `Response`, as Hono, Next.js route handlers,
 * `Deno.serve` and `Bun.serve` take it. It responds to every request that reaches it. Fetch joins
 * repeated headers, so these get 401 with a code that ends in `_malformed`.
 *
 * Requirements: `signature.raw-bytes`.
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
    const { method, headers } = request;
    const body = request.bodyUsed ? bodyAlreadyRead(FIX) : (request.body ?? EMPTY);
    const { status, headers: sent, body: text } = await receiver.receive({ method, headers, body });
    const { connection: _connection, ...others } = sent;
    return new Response(text === '' ? null : text, { status, headers: others });
  };
}
