import { decodeEvent } from '../verify/decode-event.ts';
import type { WebhookEvent } from '../verify/decode-event.ts';
import { readFetchBody } from '../verify/fetch-body.ts';
import type { FetchRequest, VerifyRequestOptions } from '../verify/fetch-body.ts';
import type { HeaderSource } from '../verify/find-headers.ts';
import { readHeaders } from '../verify/headers.ts';
import type { ReadingVerifierOptions, VerifierOptions } from '../verify/verifier-options.ts';
import { createVerifier } from './web-verifier.ts';

// Requirements: signature.raw-bytes, signature.parse-after-verify, signature.message.verified.
/**
 * Does what `verify` of `@hookproof/receiver/verify` does, on Web Crypto and in a promise.
 *
 * @param rawBody The bytes of the body exactly as received.
 * @param headers A Fetch `Headers`, a record, or a request.
 * @throws {WebhookVerificationError} With one of the codes in `VerificationErrorCode`.
 * @throws {TypeError} When an option, `rawBody` or `headers` has the wrong type.
 * @example
 * ```ts
 * import { verify } from '@hookproof/receiver/verify-web';
 *
 * export async function readEvent(request: Request, secrets: string): Promise<string> {
 *   const rawBody = new Uint8Array(await request.arrayBuffer());
 *   const event = await verify(rawBody, request.headers, { secrets });
 *   return event.type;
 * }
 * ```
 */
export async function verify(
  rawBody: Uint8Array,
  headers: HeaderSource,
  options: VerifierOptions | ReadingVerifierOptions,
): Promise<WebhookEvent> {
  const { id } = await createVerifier(options).verifySignature(headers, rawBody);
  return decodeEvent(rawBody, id);
}

// Requirements: signature.raw-bytes, signature.parse-after-verify, signature.message.verified.
/**
 * Does what `verifyRequest` of `@hookproof/receiver/verify` does, on Web Crypto: judges the headers
 * of a Fetch `Request`, reads its body within `bodyLimitBytes` and until `signal` is aborted,
 * verifies it and returns its event.
 *
 * @throws {WebhookVerificationError} With one of the codes in `VerificationErrorCode`.
 * @throws {SecretsUnavailableError} When `secrets` is a function that failed. Respond with 503.
 * @throws {RequestBodyError} `body_too_large`, `body_stalled` or `body_aborted`.
 * @throws {TypeError} When an option has the wrong type, or the body was read before.
 * @example
 * ```ts
 * import { verifyRequest } from '@hookproof/receiver/verify-web';
 *
 * export default {
 *   async fetch(request: Request, env: { readonly WEBHOOK_SECRET: string }): Promise<Response> {
 *     const event = await verifyRequest(request, { secrets: env.WEBHOOK_SECRET });
 *     console.log(event.id, event.type);
 *     return new Response(null, { status: 202 });
 *   },
 * };
 * ```
 */
export async function verifyRequest(
  request: FetchRequest,
  options: VerifyRequestOptions,
): Promise<WebhookEvent> {
  const { secrets, ...others } = options;
  const verifier =
    typeof secrets === 'function'
      ? createVerifier({ ...others, secrets })
      : createVerifier({ ...others, secrets });
  readHeaders(request.headers);
  const rawBody = await readFetchBody(request, options);
  const { id } = await verifier.verifySignature(request.headers, rawBody);
  return decodeEvent(rawBody, id);
}
