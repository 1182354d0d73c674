import { Agent, request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';

import { failed, responded, withoutResponse } from './attempt-result.ts';
import type { AttemptOrder, AttemptResult } from './order.ts';
import { guardedLookup, literalRefusal, TARGET_REFUSED } from './target.ts';

/** The number of response body bytes that are stored. The rest is not read. */
const RESPONSE_CAPTURE_BYTES = 4_096;
/** The maximum number of interim responses (1xx) before the response. One more ends the attempt. */
export const MAX_INTERIM_RESPONSES = 16;

/** Idle connections are closed sooner than many servers do, after five seconds, so that few requests meet their end. */
const KEPT_ALIVE = { keepAlive: true, timeout: 4_000 };

/** Posts over connections that are kept alive. */
export class Poster {
  readonly #ownPorts: ReadonlySet<number>;
  readonly #agent = new Agent(KEPT_ALIVE);
  readonly #secureAgent = new SecureAgent(KEPT_ALIVE);

  /** @param ownPorts - the ports that the server itself listens on; may grow */
  constructor(ownPorts: ReadonlySet<number>) {
    this.#ownPorts = ownPorts;
  }

  /** Sends the request of an attempt. Never rejects; a network error is a result. Redirects are not followed. */
  readonly post = async (order: AttemptOrder): Promise<AttemptResult> => {
    const { signal } = order;
    if (signal.aborted) return withoutResponse(String(signal.reason), null, null);
    const url = new URL(order.request.url);
    const refusal = literalRefusal(url, this.#ownPorts);
    if (refusal !== null) return withoutResponse(TARGET_REFUSED, `the URL ${refusal}`, null);
    const isSecure = url.protocol === 'https:';
    const options = {
      method: 'POST',
      agent: isSecure ? this.#secureAgent : this.#agent,
      headers: { host: url.host, ...order.request.headers, connection: 'keep-alive' },
      lookup: guardedLookup(url, this.#ownPorts),
    };
    try {
      return await exchange((isSecure ? requestHttps : requestHttp)(url, options), order);
    } catch (error) {
      // Node refuses headers that cannot be sent.
      return failed(error, order.request);
    }
  };

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy();
    this.#secureAgent.destroy();
  }
}

function exchange(
  request: ClientRequest,
  { request: sent, signal, writeBody }: AttemptOrder,
): Promise<AttemptResult> {
  return new Promise((resolve) => {
    const settle = (result: AttemptResult): void => {
      resolve(result);
      // An endpoint may respond before it has received the whole body.
      if (!request.writableEnded) request.destroy();
    };
    const cutOff = (error: string): void => {
      settle(withoutResponse(error, null, sent));
      request.destroy();
    };
    signal.addEventListener('abort', () => cutOff(String(signal.reason)));
    let interimResponses = 0;
    request.on('information', () => {
      interimResponses += 1;
      if (interimResponses > MAX_INTERIM_RESPONSES) cutOff('too_many_interim_responses');
    });
    let response: IncomingMessage | undefined;
    request.on('response', (incoming) => {
      response = incoming;
      capture(incoming, (body) => settle(responded(incoming, body, sent)));
      incoming.on('error', (error) => settle(failed(error, sent)));
    });
    request.on('upgrade', (incoming, socket) => {
      socket.destroy();
      settle(responded(incoming, null, sent));
    });
    request.on('error', (error) => {
      // An error after a complete response, such as a body after 204, does not invalidate the response.
      if (response?.complete !== true) settle(failed(error, sent));
    });
    if (writeBody === undefined) request.end(sent.body);
    else writeBody(request);
  });
}

function capture(response: IncomingMessage, done: (body: string) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (): void =>
    done(Buffer.concat(chunks).toString('utf8', 0, Math.min(size, RESPONSE_CAPTURE_BYTES)));
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size < RESPONSE_CAPTURE_BYTES) return;
    finish();
    response.destroy();
  });
  response.on('end', finish);
}
