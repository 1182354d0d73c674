import { positiveInteger } from '../argument-checks.ts';
import { mustBe } from './errors.ts';
import type { ReadSecrets, Secrets } from './secrets.ts';
import type { VerifierOptions } from './verifier-options.ts';

/** The part of a Fetch `Request` that `verifyRequest` reads. */
export interface FetchRequest {
  /** The request headers. */
  readonly headers: {
    /** Returns the value of a header; `null` without one. */
    get(name: string): string | null;
  };
  /** True when the body was read before: then it is refused. */
  readonly bodyUsed: boolean;
  /** The stream of the body; `null` without one. */
  readonly body: {
    /** True when somebody else reads it: then it is refused. */
    readonly locked: boolean;
    /** Begins to read. */
    getReader(): {
      /** Reads the next part. */
      read(): Promise<{
        /** True after the last part. */
        readonly done: boolean;
        /** The bytes of the part. */
        readonly value?: Uint8Array | undefined;
      }>;
      /** Gives up the rest. */
      cancel(): Promise<unknown>;
    };
  } | null;
}

export interface VerifyRequestOptions extends Omit<VerifierOptions, 'secrets'> {
  /**
   * The endpoint secret with its prefix `whsec_`, up to 8 during a rotation, or a function that
   * returns them. It is called with each request.
   */
  readonly secrets: Secrets | ReadSecrets;
  /** Maximum length of the body in bytes. Default: 1 MiB. */
  readonly bodyLimitBytes?: number;
  /** Ends the reading of the body when it is aborted. Default: `AbortSignal.timeout(10_000)`. */
  readonly signal?: AbortSignal;
}

/**
 * Reports a body that could not be read. Respond with 413 to `body_too_large`, and with 408 to
 * `body_stalled` (the signal was aborted) and `body_aborted` (the connection failed), so that the
 * sender retries.
 *
 * @example
 * ```ts
 * import { RequestBodyError } from '@hookproof/receiver/verify';
 *
 * export function statusOf(error: RequestBodyError): number {
 *   return error.code === 'body_too_large' ? 413 : 408;
 * }
 * ```
 */
export class RequestBodyError extends Error {
  override readonly name = 'RequestBodyError';
  /** Why the body could not be read, stable between releases. */
  declare readonly code: 'body_too_large' | 'body_stalled' | 'body_aborted';

  constructor(code: RequestBodyError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const DEFAULT_LIMIT_BYTES = 1024 * 1024;
const DEFAULT_TIMEOUT_MILLISECONDS = 10_000;

/** @throws {TypeError} When the body was read before, or the limit is not a positive integer. */
export async function readFetchBody(
  { headers, bodyUsed, body }: FetchRequest,
  options: Pick<VerifyRequestOptions, 'bodyLimitBytes' | 'signal'>,
): Promise<Uint8Array> {
  const limit = positiveInteger('bodyLimitBytes', options.bodyLimitBytes, DEFAULT_LIMIT_BYTES);
  if (bodyUsed || body?.locked === true) {
    const fix = ' Verify before request.json() and request.text(), or read a request.clone().';
    throw new TypeError(mustBe('Request body', 'unread', 'a body that was read', fix));
  }
  if (Number(headers.get('content-length')) > limit) throw tooLarge(limit);
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const signal = options.signal ?? AbortSignal.timeout(DEFAULT_TIMEOUT_MILLISECONDS);
  const aborted = abortOf(signal);
  try {
    return await readWithin(limit, () => Promise.race([reader.read(), aborted.promise]));
  } catch (error) {
    // The connection is of no use now; that canceling it fails as well changes nothing.
    reader.cancel().catch(() => undefined);
    if (error instanceof RequestBodyError) throw error;
    const message = mustBe('Request body', 'complete', 'an error of the connection');
    throw new RequestBodyError('body_aborted', message, error);
  } finally {
    aborted.forget();
  }
}

async function readWithin(
  limit: number,
  read: () => Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let part = await read(); !part.done; part = await read()) {
    if (part.value === undefined) continue;
    length += part.value.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(part.value);
  }
  const bytes = new Uint8Array(length);
  let start = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, start);
    start += chunk.length;
  }
  return bytes;
}

function tooLarge(limit: number): RequestBodyError {
  return new RequestBodyError(
    'body_too_large',
    mustBe('Request body', `at most ${limit} bytes`, 'more', ' Raise bodyLimitBytes.'),
  );
}

/** Returns a promise that fails when the signal is aborted, and a function that stops listening. */
function abortOf(signal: AbortSignal): { readonly promise: Promise<never>; forget(): void } {
  const forgetting = new AbortController();
  const promise = new Promise<never>((_, reject) => {
    const stall = (): void => {
      const received = 'a part of it until the signal was aborted';
      reject(new RequestBodyError('body_stalled', mustBe('Request body', 'complete', received)));
    };
    if (signal.aborted) stall();
    signal.addEventListener('abort', stall, { signal: forgetting.signal });
  });
  // Without a reader the failure would count as unhandled.
  promise.catch(() => undefined);
  return { promise, forget: () => forgetting.abort() };
}
