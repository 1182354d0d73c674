import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { HeaderPair } from '../verdict/exchange.ts';
import type { ListenerResponse, ReceivedDelivery, ResponseScript } from './delivery.ts';

const BODY_CAP_BYTES = 8 * 1024 * 1024;

/** A webhook endpoint of the suite on loopback: records what arrives, answers by script. */
export interface Listener {
  readonly url: string;
  /** In the order of arrival. */
  readonly deliveries: readonly ReceivedDelivery[];
  /** Resolves at the next arrival, or when the time is over. */
  arrival(timeoutMilliseconds: number): Promise<void>;
  /** How many deliveries are held whose sender still waits for an answer. */
  readonly held: number;
  /** Answers with 204 whatever is held. */
  release(): void;
  close(): Promise<void>;
}

export async function openListener(script: ResponseScript, now: () => number): Promise<Listener> {
  const deliveries: ReceivedDelivery[] = [];
  const waiting = new Set<() => void>();
  const tries = new Map<string, number>();
  const held = new Set<ServerResponse>();

  const server = createServer((request, response) => {
    receive(request, now).then(
      (arrived) => {
        const id = String(arrived.event['id']);
        const count = (tries.get(id) ?? 0) + 1;
        tries.set(id, count);
        const scripted = script(arrived, count);
        deliveries.push({ ...arrived, response: scripted });
        if (scripted === 'hold') hold(response, held);
        else give(scripted, request, response);
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
    if (size > BODY_CAP_BYTES) throw new RangeError('a delivery is larger than the listener takes');
    chunks.push(bytes);
  }
  const body = Buffer.concat(chunks);
  const headers = pairs(request.rawHeaders);
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers,
    body,
    arrivedAt: now(),
    header: (name) => headers.find(([key]) => key.toLowerCase() === name)?.[1],
    event: parseObject(body),
  };
}

/** Until it is answered or the sender gives up. */
function hold(response: ServerResponse, held: Set<ServerResponse>): void {
  held.add(response);
  response.once('close', () => held.delete(response));
}

function give(
  scripted: Exclude<ListenerResponse, 'hold'>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (scripted === 'reset') request.socket.resetAndDestroy();
  else response.writeHead(scripted.status, scripted.headers).end();
}

function pairs(raw: readonly string[]): HeaderPair[] {
  const found: HeaderPair[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    found.push([raw[index] ?? '', raw[index + 1] ?? '']);
  }
  return found;
}

function parseObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
