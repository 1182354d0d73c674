import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';

import { headerPairs } from '../http/message.ts';
import type { Incoming, Outgoing } from '../http/message.ts';
import { DEADLINE_MILLISECONDS, noResponse, read, TIMEOUT_MILLISECONDS } from './transport.ts';

/**
 * Sends one delivery, on a connection of its own. A receiver may send interim responses before the final one, which
 * undici refuses: a 100 that was not asked for ends its connection. Throws `NoResponse` without a complete response.
 */
export async function deliver(outgoing: Outgoing, signal: AbortSignal): Promise<Incoming> {
  const { method, url, headers, body } = outgoing;
  const { host, protocol } = new URL(url);
  const deadline = AbortSignal.timeout(DEADLINE_MILLISECONDS);
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  // A list of headers is sent as it is, so the two that Node.js would add come first.
  const length = body === null ? [] : ['content-length', String(body.byteLength)];
  const request = send(url, {
    method,
    headers: ['host', host, 'connection', 'close', ...length, ...headers.flat()],
    agent: false,
    timeout: TIMEOUT_MILLISECONDS,
    signal: AbortSignal.any([signal, deadline]),
  });
  const seconds = TIMEOUT_MILLISECONDS / 1000;
  request.on('timeout', () => request.destroy(new Error(`silent for ${seconds} s`)));
  // Errors after the response also reach its reader; without a listener they would end the process.
  request.on('error', () => {});
  try {
    request.end(body ?? undefined);
    const [response]: IncomingMessage[] = await once(request, 'response');
    if (response === undefined) throw new Error('there is no response');
    const bytes = await read(response);
    return { status: response.statusCode ?? 0, headers: headerPairs(response.rawHeaders), bytes };
  } catch (error) {
    throw noResponse(outgoing, error, deadline.aborted ? DEADLINE_MILLISECONDS : null);
  } finally {
    request.destroy();
  }
}
