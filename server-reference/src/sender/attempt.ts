import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

import { guardedLookup, TARGET_REFUSED } from './guarded-lookup.ts';
import type { AttemptOutcome } from './retry-decision.ts';
import { isRefusedHost } from './target-url.ts';

/** What is kept of an answer; the rest is not read. */
export const RESPONSE_CAPTURE_BYTES = 4_096;

export interface AttemptRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Cuts the attempt off, body included; its reason, a string, becomes the error. */
  readonly signal: AbortSignal;
}

export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  /** `timeout`, `target_refused`, or the code of Node such as `ECONNREFUSED`; null with an answer. */
  readonly error: string | null;
  readonly retryAfter: readonly string[];
  readonly responseBody: string | null;
}

/** Makes single POSTs over kept-alive connections. */
export interface Poster {
  /** Never rejects: what went wrong is in the result. A redirect is an answer and not followed. */
  post(request: AttemptRequest): Promise<AttemptResult>;
  /** Closes the idle connections. */
  close(): void;
}

export function createPoster(): Poster {
  const httpAgent = new HttpAgent({ keepAlive: true });
  const httpsAgent = new HttpsAgent({ keepAlive: true });

  return {
    async post({ url: text, headers, body, signal }) {
      const url = new URL(text);
      if (isRefusedHost(url)) return unanswered(TARGET_REFUSED);
      const options = { method: 'POST', headers, lookup: guardedLookup, signal };
      try {
        return await new Promise<AttemptResult>((resolve, reject) => {
          const request =
            url.protocol === 'https:'
              ? httpsRequest(url, { ...options, agent: httpsAgent })
              : httpRequest(url, { ...options, agent: httpAgent });
          request.on('error', reject);
          request.on('response', (response) => {
            capture(response).then(resolve, reject);
          });
          request.on('upgrade', (response, socket) => {
            socket.destroy();
            resolve(answered(response, null));
          });
          request.end(body);
        });
      } catch (error) {
        return unanswered(signal.aborted ? String(signal.reason) : errorCode(error));
      }
    },
    close() {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

async function capture(response: IncomingMessage): Promise<AttemptResult> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= RESPONSE_CAPTURE_BYTES) break;
  }
  const body = Buffer.concat(chunks).subarray(0, RESPONSE_CAPTURE_BYTES);
  return answered(response, body.toString('utf8'));
}

function answered(response: IncomingMessage, responseBody: string | null): AttemptResult {
  return {
    outcome: { kind: 'answered', status: response.statusCode ?? 0 },
    error: null,
    retryAfter: response.headersDistinct['retry-after'] ?? [],
    responseBody,
  };
}

function unanswered(error: string): AttemptResult {
  const kind = error === TARGET_REFUSED ? 'refused' : 'unanswered';
  return { outcome: { kind }, error, retryAfter: [], responseBody: null };
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'connection_failed';
}
