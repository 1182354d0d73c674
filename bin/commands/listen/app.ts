import { request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';

import type { Header, ReceivedDelivery } from '../../saved/delivery-folder.ts';
import { endToEnd, headerPairs } from './hop-by-hop.ts';

/** A response to pass to the platform. */
export interface AppResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** The result of sending a delivery to the app: its response, or the error. */
export type Forwarded =
  | { readonly kind: 'response'; readonly response: AppResponse }
  | { readonly kind: 'error'; readonly code: string };

/** A platform gives up after some seconds; a debugger in the app may take longer. */
export const TIMEOUT_MILLISECONDS = 60_000;
/** More is no response to a webhook. */
const MAX_RESPONSE_BYTES = 1_048_576;

/** Sends the bytes and headers of a delivery to the app. Never rejects. */
export function forward(
  url: string,
  { headers, body }: Pick<ReceivedDelivery, 'headers' | 'body'>,
): Promise<Forwarded> {
  const target = new URL(url);
  const lines = endToEnd(headers).flat();
  const hasLength = headers.some(([name]) => name.toLowerCase() === 'content-length');
  const length = hasLength ? [] : ['Content-Length', String(body.byteLength)];
  const begin = target.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const fail = (code: string): void => resolve({ kind: 'error', code });
    const request = begin(target, {
      method: 'POST',
      agent: false,
      headers: ['Host', target.host, 'Connection', 'close', ...lines, ...length],
    });
    const timer = setTimeout(() => request.destroy(timedOut()), TIMEOUT_MILLISECONDS);
    request.once('close', () => clearTimeout(timer));
    request.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    request.once('response', (response) => {
      void read(response).then((whole) => resolve(whole));
    });
    request.end(body);
  });
}

function timedOut(): Error {
  return Object.assign(new Error('the app did not respond'), { code: 'ETIMEDOUT' });
}

async function read(response: IncomingMessage): Promise<Forwarded> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > MAX_RESPONSE_BYTES) return { kind: 'error', code: 'response_too_large' };
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'ECONNRESET';
    return { kind: 'error', code };
  }
  const { statusCode: status = 0, rawHeaders } = response;
  const headers = endToEnd(headerPairs(rawHeaders));
  return { kind: 'response', response: { status, headers, body: Buffer.concat(chunks) } };
}
