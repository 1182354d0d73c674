import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { headerPairs, headerValue, isRecord, parseJson } from '../http/message.ts';
import type { ListenerResponse, ReceivedDelivery, ResponseScript } from './delivery.ts';

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** A webhook endpoint of the suite on loopback: records deliveries and responds by script. */
export interface Listener {
  readonly url: string;
  /** In order of arrival. */
  readonly deliveries: readonly ReceivedDelivery[];
  /** Resolves at the next arrival or on timeout. */
  arrival(timeoutMilliseconds: number): Promise<void>;
  /** The number of held deliveries whose sender still waits for a response. */
  readonly held: number;
  /** Responds to every held delivery with 204. */
  release(): void;
  close(): Promise<void>;
}

export async function openListener(script: ResponseScript, now: () => number): Promise<Listener> {
  const deliveries: ReceivedDelivery[] = [];
  const waiting = new Set<() => void>();
  const attempts = new Map<string, number>();
  const held = new Set<ServerResponse>();

  const server = createServer((request, response) => {
    receive(request, now).then(
      (arrived) => {
        const id = String(arrived.event['id']);
        const attempt = (attempts.get(id) ?? 0) + 1;
        attempts.set(id, attempt);
        const scripted = script(arrived, attempt);
        deliveries.push({ ...arrived, response: scripted });
        if (scripted === 'hold') hold(response, held);
        else respond(scripted, request, response);
        for (const wake of waiting) wake();
      },
      () => request.socket.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  return {
    url: `http://127.0.0.1:${port}/conformance`,
    deliveries,
    arrival: (timeoutMilliseconds) =>
      new Promise((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, timeoutMilliseconds);
        waiting.add(wake);
      }),
    get held() {
      return held.size;
    },
    release() {
      for (const response of held) response.writeHead(204).end();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(
  request: IncomingMessage,
  now: () => number,
): Promise<Omit<ReceivedDelivery, 'response'>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) throw new RangeError(`the body exceeds ${MAX_BODY_BYTES} bytes`);
    chunks.push(bytes);
  }
  const body = Buffer.concat(chunks);
  const headers = headerPairs(request.rawHeaders);
  const event = parseJson(body.toString('utf8'));
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers,
    body,
    arrivedAt: now(),
    header: (name) => headerValue(headers, name),
    event: isRecord(event) ? event : {},
  };
}

/** Until the response or the end of the connection. */
function hold(response: ServerResponse, held: Set<ServerResponse>): void {
  held.add(response);
  response.once('close', () => held.delete(response));
}

function respond(
  scripted: Exclude<ListenerResponse, 'hold'>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (scripted === 'reset') request.socket.resetAndDestroy();
  else response.writeHead(scripted.status, scripted.headers).end();
}
