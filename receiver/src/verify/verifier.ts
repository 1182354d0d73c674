import type { HeaderSource } from './find-headers.ts';
import { CheckedHeaders, readHeaders } from './headers.ts';
import { requireRawBytes } from './raw-body.ts';
import { currentKeys, readSecrets } from './secrets.ts';
import { signingKey } from './signing-key.ts';
import { readJudge, readsSecrets } from './verifier-options.ts';
import type {
  ReadingVerifierOptions,
  VerifiedDelivery,
  VerifierOptions,
} from './verifier-options.ts';

export interface Verifier {
  /**
   * Checks the signature headers before the body is read: each is present once and well-formed.
   * Pass the result to `verifySignature`. Nothing in it is authentic yet.
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

/** A verifier whose secrets come from a function. */
export interface ReadingVerifier extends Pick<Verifier, 'checkHeaders'> {
  /**
   * Does what `verifySignature` of a `Verifier` does, in a promise. Do not change `rawBody` until
   * it is settled.
   *
   * @throws {SecretsUnavailableError} When the secrets cannot be read.
   */
  verifySignature(
    headers: HeaderSource | CheckedHeaders,
    rawBody: Uint8Array,
  ): Promise<VerifiedDelivery>;
}

// Requirements: signature.raw-bytes, signature.message.verified, signature.header.strict,
// signature.timestamp.strict, signature.digest.length, signature.constant-time,
// limits.timestamp-tolerance.
/**
 * Creates a verifier, which prepares the keys once for any number of deliveries. With a function as
 * `secrets` it calls that function for each delivery, and `verifySignature` returns a promise.
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
export function createVerifier(options: VerifierOptions): Verifier;
export function createVerifier(options: ReadingVerifierOptions): ReadingVerifier;
export function createVerifier(
  options: VerifierOptions | ReadingVerifierOptions,
): Verifier | ReadingVerifier {
  const judge = readJudge(options);
  if (!readsSecrets(options)) {
    const keys = readSecrets(options.secrets, options.secretEncoding);
    return {
      checkHeaders: readHeaders,
      verifySignature(source, rawBody) {
        requireRawBytes(rawBody);
        const headers = checked(source);
        return judge(headers, matching(headers, rawBody, keys), keys.length);
      },
    };
  }
  const { secrets, secretEncoding } = options;
  return {
    checkHeaders: readHeaders,
    async verifySignature(source, rawBody) {
      requireRawBytes(rawBody);
      const headers = checked(source);
      const keys = await currentKeys(secrets, secretEncoding);
      return judge(headers, matching(headers, rawBody, keys), keys.length);
    },
  };
}

function checked(source: HeaderSource | CheckedHeaders): CheckedHeaders {
  return source instanceof CheckedHeaders ? source : readHeaders(source);
}

/** Returns the position of the key with which these bytes were signed, -1 for none. */
function matching(
  { head, digest }: CheckedHeaders,
  rawBody: Uint8Array,
  keys: readonly Uint8Array[],
): number {
  return signingKey(keys, [head, rawBody], [Buffer.from(digest, 'hex')]);
}
