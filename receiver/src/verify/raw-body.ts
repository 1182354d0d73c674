import { isUint8Array } from 'node:util/types';

/**
 * Refuses a body that is not bytes. Asks Node and not `instanceof`, which fails for a Buffer of
 * another realm, as test runners have them.
 */
export function requireRawBytes(body: unknown): void {
  if (isUint8Array(body)) return;
  throw new TypeError(
    `rawBody must be the received bytes as a Buffer or Uint8Array, not ${nameOf(body)}. ` +
      'Take them before anything parses or decodes the body: in Express ' +
      "express.raw({ type: 'application/json' }) instead of express.json(), in Koa no body parser " +
      "on this route, in Fastify a content type parser with { parseAs: 'buffer' }, with Fetch " +
      'new Uint8Array(await request.arrayBuffer()).',
  );
}

function nameOf(body: unknown): string {
  if (typeof body === 'string') return 'a string (decoded text is no longer the signed bytes)';
  if (typeof body === 'object' && body !== null) return 'an object (already parsed?)';
  return String(body);
}
