import { lookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

import { guardLookup, TARGET_REFUSED } from './guarded-lookup.ts';
import type { AttemptOutcome } from './retry-decision.ts';
import { bareHost, isRefusedHost } from './target-url.ts';

/** What is kept of an answer; the rest is not read. */
export const RESPONSE_CAPTURE_BYTES = 4_096;

/** Interim answers (1xx) before the answer; more are no answer. */
export const MOST_INTERIM_ANSWERS = 16;
/** More URLs than a server has endpoints; then they are read once more. */
const MOST_TARGETS = 10_000;

export interface AttemptRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  /** `timeout`, `target_refused`, `too_many_interim_answers`, or Node's code such as `ECONNREFUSED`; null with an answer. */
  readonly error: string | null;
  readonly retryAfter: readonly string[];
  readonly responseBody: string | null;
}

/** A POST under way. */
export interface Posting {
  /** Never rejects: what went wrong is in the result. A redirect is an answer and not followed. */
  readonly result: Promise<AttemptResult>;
  /** Ends the attempt without an answer and with this error, its body included. */
  cutOff(error: string): void;
}

/** Makes single POSTs over kept-alive connections. */
export interface Poster {
  post(request: AttemptRequest): Posting;
  /** Closes the idle connections. */
  close(): void;
}

/** How to reach a URL: read and judged once. */
type Target = (headers: Readonly<Record<string, string>>) => ClientRequest;

export function createPoster(): Poster {
  const keeping = { keepAlive: true };
  const httpAgent = new HttpAgent(keeping);
  const httpsAgent = new HttpsAgent(keeping);
  const targets = new Map<string, Target | null>();

  function readTarget(text: string): Target | null {
    const url = new URL(text);
    if (isRefusedHost(url)) return null;
    const options: RequestOptions = {
      method: 'POST',
      hostname: bareHost(url),
      port: url.port,
      path: url.pathname + url.search,
      lookup: guardLookup(lookup),
    };
    return url.protocol === 'https:'
      ? (headers) =>
          httpsRequest({ ...options, agent: httpsAgent, headers: flat(url.host, headers) })
      : (headers) =>
          httpRequest({ ...options, agent: httpAgent, headers: flat(url.host, headers) });
  }

  function targetOf(text: string): Target | null {
    const known = targets.get(text);
    if (known !== undefined) return known;
    const target = readTarget(text);
    if (targets.size >= MOST_TARGETS) targets.clear();
    targets.set(text, target);
    return target;
  }

  return {
    post({ url, headers, body }) {
      const target = targetOf(url);
      if (target === null) {
        return { result: Promise.resolve(unanswered(TARGET_REFUSED)), cutOff: nothingUnderWay };
      }
      let cutOff: Posting['cutOff'] = nothingUnderWay;
      const result = new Promise<AttemptResult>((settle) => {
        const request = target(headers);
        let answer: IncomingMessage | undefined;
        let interimAnswers = 0;
        const fail = (error: Error): void => settle(unanswered(errorCode(error)));
        cutOff = (error) => {
          settle(unanswered(error));
          request.destroy();
        };
        request.on('error', (error) => {
          // What comes after a whole answer, such as a body after 204, does not undo it.
          if (answer?.complete !== true) fail(error);
        });
        request.on('information', () => {
          interimAnswers += 1;
          if (interimAnswers > MOST_INTERIM_ANSWERS) cutOff('too_many_interim_answers');
        });
        request.on('response', (response) => {
          answer = response;
          capture(response, settle, fail);
        });
        request.on('upgrade', (response, socket) => {
          socket.destroy();
          settle(answered(response, null));
        });
        // Text is joined with the head into one write; each character is one byte of the body.
        request.end(body.toString('latin1'), 'latin1');
      });
      return { result, cutOff };
    },
    close() {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

function flat(host: string, headers: Readonly<Record<string, string>>): string[] {
  const lines = ['host', host];
  for (const name in headers) lines.push(name, headers[name] ?? '');
  return lines;
}

function nothingUnderWay(): void {}

function capture(
  response: IncomingMessage,
  settle: (result: AttemptResult) => void,
  fail: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (): void => {
    const body =
      size === 0 ? '' : Buffer.concat(chunks).toString('utf8', 0, RESPONSE_CAPTURE_BYTES);
    settle(answered(response, body));
  };
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size < RESPONSE_CAPTURE_BYTES) return;
    finish();
    response.destroy();
  });
  response.on('end', finish);
  response.on('error', fail);
}

function answered(response: IncomingMessage, responseBody: string | null): AttemptResult {
  return {
    outcome: { kind: 'answered', status: response.statusCode ?? 0 },
    error: null,
    retryAfter: retryAfterOf(response),
    responseBody,
  };
}

/** Each header line by itself: one that is repeated counts as none. */
function retryAfterOf({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter(
    (_text, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'retry-after',
  );
}

function unanswered(error: string): AttemptResult {
  const kind = error === TARGET_REFUSED ? 'refused' : 'unanswered';
  return { outcome: { kind }, error, retryAfter: [], responseBody: null };
}

function errorCode(error: Error): string {
  return 'code' in error ? String(error.code) : 'connection_failed';
}
