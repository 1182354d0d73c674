import { isUint8Array } from 'node:util/types';

/**
 * Refuses a body that is not bytes. Asks Node and not `instanceof`, which fails for a Buffer of
 * another realm, as test runners have them.
 */
export function requireRawBytes(body: unknown): void {
  if (isUint8Array(body)) return;
  const received = body === null ? body : typeof body;
  throw new TypeError(
    `rawBody must be the received bytes, not ${received}; take them before any parser, as express.raw() does`,
  );
}
