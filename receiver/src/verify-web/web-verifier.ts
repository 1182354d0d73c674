import { requireRawBytes } from '../verify/raw-body.ts';
import { readVerifierOptions } from '../verify/verifier-options.ts';
import type { VerifiedDelivery, VerifierOptions } from '../verify/verifier-options.ts';
import { readWebHeaders } from './web-headers.ts';
import type { WebHeaderSource } from './web-headers.ts';

export interface WebVerifier {
  /**
   * Does what `verifySignature` of `@hookproof/receiver/verify` does, with the same results and errors, in a
   * promise. Copies `rawBody` first, so that you may change it.
   *
   * @param headers A Fetch `Headers` or a record.
   * @param rawBody The bytes of the body exactly as received.
   */
  verifySignature(headers: WebHeaderSource, rawBody: Uint8Array): Promise<VerifiedDelivery>;
}

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };
const DIGEST_BYTES = 32;

/**
 * Creates a verifier on Web Crypto, for runtimes without `node:crypto`: Cloudflare Workers, Vercel Edge,
 * Deno, browsers. It imports the keys with the first delivery.
 *
 * Requirements: `signature.raw-bytes`, `signature.message.verified`, `signature.header.strict`,
 * `signature.timestamp.strict`, `signature.digest.length`, `signature.constant-time`,
 * `limits.timestamp-tolerance`.
 *
 * @throws {TypeError} When an option is invalid, as for `createVerifier` of
 *   `@hookproof/receiver/verify`.
 * @example
 * ```ts
 * import { createVerifier } from '@hookproof/receiver/verify-web';
 *
 * const verifier = createVerifier({ secrets: ['whsec_new', 'whsec_old'] });
 *
 * export async function webhookId(request: Request): Promise<string> {
 *   const rawBody = new Uint8Array(await request.arrayBuffer());
 *   const { id } = await verifier.verifySignature(request.headers, rawBody);
 *   return id;
 * }
 * ```
 */
export function createVerifier(options: VerifierOptions): WebVerifier {
  const { keys, judge } = readVerifierOptions(options);
  const importKeys = () =>
    Promise.all(
      keys.map((key) => crypto.subtle.importKey('raw', key, ALGORITHM, false, ['verify'])),
    );
  let imported: ReturnType<typeof importKeys> | undefined;

  return {
    async verifySignature(source, rawBody) {
      requireRawBytes(rawBody);
      const [id = '', timestamp = '', signature = ''] = readWebHeaders(source);
      const head = new TextEncoder().encode(`${id}.${timestamp}.`);
      const message = new Uint8Array(head.length + rawBody.length);
      message.set(head);
      message.set(rawBody, head.length);
      const digest = Uint8Array.from({ length: DIGEST_BYTES }, (_, index) =>
        Number.parseInt(signature.slice(2 * index + 3, 2 * index + 5), 16),
      );
      imported ??= importKeys();
      const matches = await Promise.all(
        (await imported).map((key) => crypto.subtle.verify('HMAC', key, digest, message)),
      );
      return judge({ id, timestamp: Number(timestamp) }, matches.indexOf(true));
    },
  };
}
