import { readFileSync } from 'node:fs';

import { request } from 'undici';
import type { Dispatcher } from 'undici';

import { headerPairs, rawHeaders } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import { Inconclusive, NoResponse } from '../verdict/findings.ts';

const MANIFEST: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
/** What a target finds in its log. */
const USER_AGENT = `hookproof/${MANIFEST.version} (conformance suite)`;

/** Until the headers of a response, and between two parts of its body. */
export const TIMEOUT_MILLISECONDS = 10_000;
/** For a whole exchange, so that a target that sends a byte a second cannot hold a run. */
export const DEADLINE_MILLISECONDS = 20_000;
/**
 * For the headers of a control interface: a virtual clock advances while everything that is due is
 * delivered, and each delivery may be slow.
 */
export const CONTROL_TIMEOUT_MILLISECONDS = 60_000;
/** Of a response of the API that is not a download: more than a page of 100 entries has. */
export const MAX_JSON_BYTES: number = 1024 * 1024;
/** Of a response, as it is sent and without its content coding. */
export const MAX_RESPONSE_BYTES: number = 8 * 1024 * 1024;

/** What a response may take. */
export interface Limits {
  readonly maxBytes: number;
  /** Milliseconds until its headers. */
  readonly headersTimeout: number;
  /** For the whole exchange. */
  readonly deadlineMilliseconds: number;
}

/** Sends one request: follows no redirect, decodes nothing. Throws `NoResponse` without a complete response. */
export async function transport(
  outgoing: Outgoing,
  dispatcher: Dispatcher,
  {
    signal,
    maxBytes,
    through,
    headersTimeout,
    deadlineMilliseconds,
  }: Limits & {
    readonly signal: AbortSignal;
    /** The proxy on the way, as part of a sentence; empty for none. */
    readonly through: string;
  },
): Promise<Incoming> {
  const deadline = AbortSignal.timeout(deadlineMilliseconds);
  try {
    const response = await request(outgoing.url, {
      method: outgoing.method,
      headers: [...ownHeaders(outgoing), ...outgoing.headers.flat()],
      body: outgoing.body,
      dispatcher,
      signal: AbortSignal.any([signal, deadline]),
      responseHeaders: 'raw',
      headersTimeout,
      bodyTimeout: TIMEOUT_MILLISECONDS,
    });
    return {
      status: response.statusCode,
      headers: headerPairs(rawHeaders(response.headers)),
      bytes: await read(response.body, maxBytes),
    };
  } catch (error) {
    throw noResponse(outgoing, error, deadline.aborted ? deadlineMilliseconds : null, through);
  }
}

/** Without it, a firewall may refuse the suite, and nobody finds it in a log. */
function ownHeaders({ headers }: Outgoing): string[] {
  const isGiven = headers.some(([name]) => name.toLowerCase() === 'user-agent');
  return isGiven ? [] : ['user-agent', USER_AGENT];
}

/** What an exchange without a complete response throws, with the deadline if that passed. */
export function noResponse(
  { url }: Outgoing,
  error: unknown,
  lateMilliseconds: number | null,
  through = '',
): Inconclusive {
  if (error instanceof Inconclusive) return error;
  const reason =
    lateMilliseconds === null
      ? reasonOf(error)
      : `the response is not complete after ${lateMilliseconds / 1000} s`;
  return new NoResponse(`no response from ${new URL(url).origin}${through}: ${reason}`, {
    cause: error,
  });
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
  const message = error.message === '' ? error.name : error.message;
  return 'code' in error && UNTRUSTED.has(error.code)
    ? `${message}. If you trust its certificate, set NODE_EXTRA_CA_CERTS to a PEM file with it or with its authority`
    : message;
}

/** What Node calls a certificate that no authority of this machine has signed. */
const UNTRUSTED: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

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
export function isLostConnection(error: unknown): error is Inconclusive {
  if (error instanceof GatewayError) return true;
  if (!(error instanceof NoResponse)) return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && LOST.has(cause.code);
}
