import type { HeaderSource } from '../verify/find-headers.ts';
import { readHeaders } from '../verify/headers.ts';
import { requireRawBytes } from '../verify/raw-body.ts';
import { currentKeys, readSecrets } from '../verify/secrets.ts';
import { readJudge, readsSecrets } from '../verify/verifier-options.ts';
import type {
  ReadingVerifierOptions,
  VerifiedDelivery,
  VerifierOptions,
} from '../verify/verifier-options.ts';

export interface WebVerifier {
  /**
   * Does what `verifySignature` of `@hookproof/receiver/verify` does, with the same results and
   * errors, in a promise. Copies `rawBody` first, so that you may change it.
   *
   * @param headers A Fetch `Headers`, a record, or a request.
   * @param rawBody The bytes of the body exactly as received.
   */
  verifySignature(headers: HeaderSource, rawBody: Uint8Array): Promise<VerifiedDelivery>;
}

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };
const DIGEST_BYTES = 32;

// Requirements: signature.raw-bytes, signature.message.verified, signature.header.strict,
// signature.timestamp.strict, signature.digest.length, signature.constant-time,
// limits.timestamp-tolerance.
/**
 * Creates a verifier on Web Crypto, for runtimes without `node:crypto`: Cloudflare Workers, Vercel
 * Edge, Deno, browsers. It imports the keys with the first delivery. With a function as `secrets`
 * it calls that function for each delivery.
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
export function createVerifier(options: VerifierOptions | ReadingVerifierOptions): WebVerifier {
  const judge = readJudge(options);
  const match = readsSecrets(options) ? matchWithRead(options) : matchWith(options);

  return {
    async verifySignature(source, rawBody) {
      requireRawBytes(rawBody);
      const headers = readHeaders(source);
      const head = new TextEncoder().encode(headers.head);
      const message = new Uint8Array(head.length + rawBody.length);
      message.set(head);
      message.set(rawBody, head.length);
      const digest = Uint8Array.from({ length: DIGEST_BYTES }, (_, index) =>
        Number.parseInt(headers.digest.slice(2 * index, 2 * index + 2), 16),
      );
      const { secretIndex, secretCount } = await match({ digest, message });
      return judge(headers, secretIndex, secretCount);
    },
  };
}

interface Signed {
  readonly digest: Uint8Array<ArrayBuffer>;
  readonly message: Uint8Array<ArrayBuffer>;
}

type Match = (
  signed: Signed,
) => Promise<{ readonly secretIndex: number; readonly secretCount: number }>;

type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

function matchWith({ secrets, secretEncoding }: VerifierOptions): Match {
  const keys = readSecrets(secrets, secretEncoding);
  let imported: ReturnType<typeof importKeys> | undefined;
  return async (signed) => {
    imported ??= importKeys(keys);
    return { secretIndex: await indexOf(await imported, signed), secretCount: keys.length };
  };
}

function matchWithRead({ secrets, secretEncoding }: ReadingVerifierOptions): Match {
  return async (signed) => {
    const keys = await currentKeys(secrets, secretEncoding);
    return { secretIndex: await indexOf(await importKeys(keys), signed), secretCount: keys.length };
  };
}

function importKeys(keys: readonly Uint8Array<ArrayBuffer>[]): Promise<readonly ImportedKey[]> {
  return Promise.all(
    keys.map((key) => crypto.subtle.importKey('raw', key, ALGORITHM, false, ['verify'])),
  );
}

async function indexOf(keys: readonly ImportedKey[], { digest, message }: Signed): Promise<number> {
  const matches = await Promise.all(
    keys.map((key) => crypto.subtle.verify('HMAC', key, digest, message)),
  );
  return matches.indexOf(true);
}
