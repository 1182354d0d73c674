import { createHmac, timingSafeEqual } from 'node:crypto';

import { CheckedHeaders, readDigest, readHeaders } from './headers.ts';
import type { HeaderSource } from './headers.ts';
import { requireRawBytes } from './raw-body.ts';
import { readVerifierOptions } from './verifier-options.ts';
import type { VerifiedDelivery, VerifierOptions } from './verifier-options.ts';

export interface Verifier {
  /**
   * Checks the signature headers before the body is read: each is present once and well-formed. Pass the
   * result to `verifySignature`. Nothing in it is authentic yet.
   *
   * @throws {WebhookVerificationError} With `stage` `headers`.
   * @throws {TypeError} When `headers` is not a source of headers.
   */
  checkHeaders(headers: HeaderSource): CheckedHeaders;
  /**
   * Verifies that `rawBody` was signed with one of the secrets and that the timestamp is within the
   * tolerance. Compares whole seconds: the current time is rounded down. Does not decode the body.
   *
   * @param headers All headers, or the result of `checkHeaders`.
   * @param rawBody The bytes of the body exactly as received.
   * @throws {WebhookVerificationError} With `stage` `headers` (a header is missing, repeated or
   *   malformed), `signature` (`signature_mismatch`) or `freshness` (authentic, but
   *   `timestamp_too_old` or `timestamp_too_new`), checked in this order.
   * @throws {TypeError} When `rawBody` is not bytes or `headers` is not a source of headers.
   */
  verifySignature(headers: HeaderSource | CheckedHeaders, rawBody: Uint8Array): VerifiedDelivery;
}

const DIGEST_BYTES = 32;

/**
 * Creates a verifier, which prepares the keys once for any number of deliveries.
 *
 * Requirements: `signature.raw-bytes`, `signature.message.verified`, `signature.header.strict`,
 * `signature.timestamp.strict`, `signature.digest.length`, `signature.constant-time`,
 * `limits.timestamp-tolerance`.
 *
 * @throws {TypeError} When an option is invalid: no secret, more than 8, a secret without its
 *   prefix or with surrounding whitespace, a tolerance that is not a non-negative integer.
 * @example
 * ```ts
 * import { createVerifier } from '@hookproof/receiver/verify';
 *
 * const verifier = createVerifier({ secrets: ['whsec_new', 'whsec_old'] });
 *
 * export async function webhookId(request: Request): Promise<string> {
 *   const rawBody = new Uint8Array(await request.arrayBuffer());
 *   return verifier.verifySignature(request.headers, rawBody).id;
 * }
 * ```
 */
export function createVerifier(options: VerifierOptions): Verifier {
  const { keys, judge } = readVerifierOptions(options);
  // Shared by all calls: a call is synchronous and writes every byte that it compares.
  const received = Buffer.alloc(DIGEST_BYTES);

  return {
    checkHeaders: (source) => readHeaders(source, received),
    verifySignature(source, rawBody) {
      requireRawBytes(rawBody);
      const headers = source instanceof CheckedHeaders ? source : readHeaders(source, received);
      if (headers === source) readDigest(headers.signature, received);
      let secretIndex = -1;
      // Every secret costs one MAC, also after a match, so that the time does not reveal which one matched.
      for (const [index, key] of keys.entries()) {
        const computed = createHmac('sha256', key).update(headers.head).update(rawBody).digest();
        if (timingSafeEqual(computed, received) && secretIndex < 0) secretIndex = index;
      }
      return judge(headers, secretIndex);
    },
  };
}
