import { decodeEvent } from './decode-event.ts';
import type { WebhookEvent } from './decode-event.ts';
import { readFetchBody } from './fetch-body.ts';
import type { FetchRequest, VerifyRequestOptions } from './fetch-body.ts';
import { createVerifier } from './verifier.ts';

// Requirements: signature.raw-bytes, signature.parse-after-verify, signature.message.verified.
/**
 * Verifies a Fetch `Request` and returns its event. Judges the headers before it reads the body,
 * and reads at most `bodyLimitBytes` until `signal` is aborted. Unlike `createReceiver` it neither
 * deduplicates nor stores the event.
 *
 * @throws {WebhookVerificationError} With one of the codes in `VerificationErrorCode`, as `verify`
 *   does.
 * @throws {SecretsUnavailableError} When `secrets` is a function that failed. Respond with 503.
 * @throws {RequestBodyError} `body_too_large`, `body_stalled` or `body_aborted`.
 * @throws {TypeError} When an option has the wrong type, or the body was read before.
 * @example
 * ```ts
 * import { WebhookVerificationError, verifyRequest } from '@hookproof/receiver/verify';
 *
 * export async function POST(request: Request): Promise<Response> {
 *   try {
 *     const event = await verifyRequest(request, { secrets: process.env['WEBHOOK_SECRET'] ?? '' });
 *     console.log(event.id, event.type);
 *     return new Response(null, { status: 202 });
 *   } catch (error) {
 *     if (!(error instanceof WebhookVerificationError)) throw error;
 *     return new Response(null, { status: error.stage === 'freshness' ? 425 : 401 });
 *   }
 * }
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
  const headers = verifier.checkHeaders(request.headers);
  const rawBody = await readFetchBody(request, options);
  const { id } = await verifier.verifySignature(headers, rawBody);
  return decodeEvent(rawBody, id);
}
