import { decodeEvent } from './decode-event.ts';
import type { WebhookEvent } from './decode-event.ts';
import { mustBe } from './errors.ts';
import type { HeaderSource } from './find-headers.ts';
import { createVerifier } from './verifier.ts';
import type { VerifierOptions } from './verifier-options.ts';

// Requirements: signature.raw-bytes, signature.parse-after-verify, signature.message.verified.
/**
 * Verifies one delivery and returns its event, parsed and typed. Use it with a queue or database
 * that you already have. It prepares the keys on each call; for many deliveries call
 * `createVerifier` once and `decodeEvent` later.
 *
 * @param rawBody The bytes of the body exactly as received.
 * @param headers A Node request, a Fetch `Headers`, or a record of header values.
 * @returns A `run.created` or `run.status_changed` event, or an event of type `unknown`.
 * @throws {WebhookVerificationError} With one of the codes in `VerificationErrorCode`. Respond with
 *   401 when its `stage` is `headers` or `signature`, and with 425 when it is `freshness`, so that
 *   a retry can still succeed. When it is `event`, respond with 2xx and keep the bytes: a retry
 *   sends the same ones.
 * @throws {TypeError} When an option, `rawBody` or `headers` has the wrong type.
 * @example
 * ```ts
 * import { verify } from '@hookproof/receiver/verify';
 *
 * export async function readEvent(request: Request): Promise<string> {
 *   const rawBody = new Uint8Array(await request.arrayBuffer());
 *   const secrets = process.env['WEBHOOK_SECRET'] ?? '';
 *   const event = verify(rawBody, request.headers, { secrets });
 *   return event.type;
 * }
 * ```
 */
export function verify(
  rawBody: Uint8Array,
  headers: HeaderSource,
  options: VerifierOptions,
): WebhookEvent {
  if (typeof options.secrets === 'function') {
    const fix = ' Use verifyRequest(), or createVerifier() and decodeEvent(), which wait for it.';
    throw new TypeError(mustBe('secrets', 'text', 'a function', fix));
  }
  const { id } = createVerifier(options).verifySignature(headers, rawBody);
  return decodeEvent(rawBody, id);
}
