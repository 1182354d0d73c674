import { decodeEvent } from './decode-event.ts';
import type { HeaderSource } from './header-source.ts';
import { createVerifier } from './verifier.ts';
import type { VerifierOptions } from './verifier.ts';
import type { WebhookEvent } from './webhook-event.ts';

/**
 * Verifies one delivery and returns its event, parsed and typed, for those who bring their own queue.
 * Prepares the keys for each call: `createVerifier` once and `decodeEvent` later are faster.
 *
 * @param rawBody The bytes of the body exactly as received.
 * @param headers A Node request, a Fetch `Headers`, or a record of header values.
 * @returns A `run.created` or `run.status_changed` event, or an event of type `unknown`.
 * @throws {WebhookVerificationError} With one of the codes in `VerificationErrorCode`. Answer 401 when
 *   its `stage` is `headers` or `signature` and 425 when it is `freshness`, so that a retry can still
 *   succeed; when it is `event`, answer 2xx and keep the bytes aside, for no retry will change them.
 * @throws {TypeError} When an option, `rawBody` or `headers` is of the wrong kind.
 */
export function verify(
  rawBody: Uint8Array,
  headers: HeaderSource,
  options: VerifierOptions,
): WebhookEvent {
  const { id } = createVerifier(options).verifySignature(headers, rawBody);
  return decodeEvent(rawBody, id);
}
