import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RunEvent } from '@hookproof/spec';

/** What the network does to the first delivery attempt of an event. */
type NetworkFault = 'none' | 'refused' | 'response lost';

/** A delivery attempt that reached the network. */
export interface Arrival {
  readonly event: RunEvent;
  readonly attempt: number;
  readonly fault: NetworkFault;
}

interface UnreliableNetwork {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Sets the URL that deliveries are forwarded to. */
  connect(consumerUrl: string): void;
  close(): Promise<void>;
}

/** Of three events, one is refused and arrives late, one loses its response and arrives twice, one passes. */
function faultOf(eventNumber: number): NetworkFault {
  return (['refused', 'response lost', 'none'] as const)[eventNumber % 3] ?? 'none';
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function forward(consumerUrl: string, source: IncomingMessage, body: Buffer): Promise<number> {
  const { host: _, ...headers } = source.headers;
  return new Promise((resolve, reject) => {
    const onward = request(consumerUrl, { method: 'POST', headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 502));
      response.on('error', reject);
    });
    onward.on('error', reject);
    onward.end(body);
  });
}

/**
 * Opens a proxy between the sender and the consumer. It either refuses a delivery with 503, or forwards it
 * unchanged. After some of the forwarded ones it closes the connection before the response.
 */
export async function openUnreliableNetwork(): Promise<UnreliableNetwork> {
  const arrivals: Arrival[] = [];
  const attempts = new Map<string, number>();
  let consumer = '';

  async function pass(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const eventId = String(message.headers['webhook-id']);
    const attempt = (attempts.get(eventId) ?? 0) + 1;
    const fault = attempt === 1 ? faultOf(attempts.size) : 'none';
    attempts.set(eventId, attempt);
    const body = await bytesOf(message);
    arrivals.push({ event: JSON.parse(body.toString('utf8')), attempt, fault });
    if (fault === 'refused') {
      response.writeHead(503).end();
      return;
    }
    const status = await forward(consumer, message, body);
    if (fault === 'response lost') message.socket.destroy();
    else response.writeHead(status).end();
  }

  const server = createServer((message, response) => {
    pass(message, response).catch(() => message.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null)
    throw new Error('The network must listen on a port.');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    arrivals,
    connect: (consumerUrl) => {
      consumer = consumerUrl;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
