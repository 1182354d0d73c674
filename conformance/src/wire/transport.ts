import { request } from 'undici';
import type { Dispatcher } from 'undici';

import { headerPairs, rawHeaders } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import { Inconclusive, NoResponse } from '../verdict/findings.ts';

/** Until the headers of a response, and between two parts of its body. */
export const TIMEOUT_MILLISECONDS = 10_000;
/** For a whole exchange, so that a target that sends a byte a second cannot hold a run. */
export const DEADLINE_MILLISECONDS = 20_000;
/** Of a response of the API that is not a download: more than a page of 100 entries has. */
export const MAX_JSON_BYTES: number = 1024 * 1024;
/** Of a response, as it is sent and without its content coding. */
export const MAX_RESPONSE_BYTES: number = 8 * 1024 * 1024;

/** Sends one request: follows no redirect, decodes nothing. Throws `NoResponse` without a complete response. */
export async function transport(
  outgoing: Outgoing,
  dispatcher: Dispatcher,
  signal: AbortSignal,
  maxBytes: number = MAX_RESPONSE_BYTES,
): Promise<Incoming> {
  const deadline = AbortSignal.timeout(DEADLINE_MILLISECONDS);
  try {
    const response = await request(outgoing.url, {
      method: outgoing.method,
      headers: outgoing.headers.flat(),
      body: outgoing.body,
      dispatcher,
      signal: AbortSignal.any([signal, deadline]),
      responseHeaders: 'raw',
      headersTimeout: TIMEOUT_MILLISECONDS,
      bodyTimeout: TIMEOUT_MILLISECONDS,
    });
    return {
      status: response.statusCode,
      headers: headerPairs(rawHeaders(response.headers)),
      bytes: await read(response.body, maxBytes),
    };
  } catch (error) {
    throw noResponse(outgoing, error, deadline);
  }
}

/** What an exchange without a complete response throws. */
export function noResponse({ url }: Outgoing, error: unknown, deadline: AbortSignal): Inconclusive {
  if (error instanceof Inconclusive) return error;
  const reason = deadline.aborted
    ? `the response is not complete after ${DEADLINE_MILLISECONDS / 1000} s`
    : reasonOf(error);
  return new NoResponse(`no response from ${new URL(url).origin}: ${reason}`, { cause: error });
}

/** All bytes of a response. Throws `Inconclusive` above the maximum. */
export async function read(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number = MAX_RESPONSE_BYTES,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > maxBytes) {
      throw new Inconclusive(`The response is larger than ${maxBytes} bytes.`);
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

/** A gateway responded in place of the target, so that it is unknown whether the target has done what was requested. */
export class GatewayError extends Inconclusive {
  override readonly name = 'GatewayError';
}

/** What undici and Node call a connection that the other side ended. A refused or slow one is not lost. */
const LOST: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
]);

/** Whether the connection broke before the response was complete, or a gateway lost it: the same request may succeed again. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof GatewayError) return true;
  if (!(error instanceof NoResponse)) return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && LOST.has(cause.code);
}
