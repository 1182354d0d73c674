import { request } from 'undici';
import type { Dispatcher } from 'undici';

import type { HeaderPair } from '../verdict/exchange.ts';
import { Inconclusive, NoResponse } from '../verdict/findings.ts';

/** One request as it goes on the wire. */
export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderPair[];
  readonly body: Uint8Array | null;
}

/** The answer as it came from the wire. */
export interface Incoming {
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  readonly bytes: Uint8Array;
}

const TIMEOUT_MILLISECONDS = 10_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Sends one request with undici: redirects not followed, nothing decoded. Throws `NoResponse` when no whole answer came. */
export async function transport(
  outgoing: Outgoing,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Incoming> {
  try {
    const response = await request(outgoing.url, {
      method: outgoing.method,
      headers: outgoing.headers.flat(),
      body: outgoing.body,
      dispatcher,
      signal,
      responseHeaders: 'raw',
      headersTimeout: TIMEOUT_MILLISECONDS,
      bodyTimeout: TIMEOUT_MILLISECONDS,
    });
    return {
      status: response.statusCode,
      headers: pairs(response.headers),
      bytes: await read(response.body),
    };
  } catch (error) {
    if (error instanceof Inconclusive) throw error;
    throw new NoResponse(`no answer from ${new URL(outgoing.url).origin}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** With `responseHeaders: 'raw'` undici gives name, value, name, value; its types speak of the merged form. */
function pairs(headers: unknown): HeaderPair[] {
  const flat = Array.isArray(headers) ? headers.map(String) : [];
  return flat.flatMap((name, index): HeaderPair[] =>
    index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : [],
  );
}

async function read(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > MAX_RESPONSE_BYTES) {
      throw new Inconclusive(`the answer is larger than ${MAX_RESPONSE_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Node hides the reason of a refused connection in the errors of an AggregateError. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.message === '' ? error.name : error.message;
}
