import { request } from 'undici';
import type { Dispatcher } from 'undici';

import { headerPairs } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import { Inconclusive, NoResponse } from '../verdict/findings.ts';

const TIMEOUT_MILLISECONDS = 10_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Sends one request: follows no redirect, decodes nothing. Throws `NoResponse` without a complete response. */
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
      headers: headerPairs(rawHeaders(response.headers)),
      bytes: await read(response.body),
    };
  } catch (error) {
    if (error instanceof Inconclusive) throw error;
    throw new NoResponse(`no response from ${new URL(outgoing.url).origin}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** With `responseHeaders: 'raw'` undici returns a flat list; its types describe the merged form. */
function rawHeaders(headers: unknown): string[] {
  return Array.isArray(headers) ? headers.map(String) : [];
}

async function read(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > MAX_RESPONSE_BYTES) {
      throw new Inconclusive(`The response is larger than ${MAX_RESPONSE_BYTES} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Node reports a refused connection as an AggregateError without a message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.message === '' ? error.name : error.message;
}
