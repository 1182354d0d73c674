import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RunEvent } from '@hookproof/spec';

/** What the bad network does to the first delivery attempt of an event. */
export type Trouble = 'none' | 'refused' | 'answer lost';

/** One delivery attempt as it came to the network. */
export interface Crossing {
  readonly event: RunEvent;
  readonly attempt: number;
  readonly trouble: Trouble;
}

export interface BadNetwork {
  readonly url: string;
  readonly crossings: readonly Crossing[];
  /** Where what passes goes to. */
  connect(consumerUrl: string): void;
  close(): Promise<void>;
}

/** Every third event is refused once, so it comes late; every other third loses its answer once, so it comes twice. */
function troubleOf(nth: number): Trouble {
  return (['refused', 'answer lost', 'none'] as const)[nth % 3] ?? 'none';
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function forward(consumerUrl: string, source: IncomingMessage, body: Buffer): Promise<number> {
  const { host: _, ...headers } = source.headers;
  return new Promise((resolve, reject) => {
    const onward = request(consumerUrl, { method: 'POST', headers, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 502));
      answer.on('error', reject);
    });
    onward.on('error', reject);
    onward.end(body);
  });
}

/**
 * Stands between the sender and the consumer. It changes no byte: it refuses with 503, or passes a
 * delivery on and then breaks the connection before the answer gets back. The sender does the rest.
 */
export async function openBadNetwork(): Promise<BadNetwork> {
  const crossings: Crossing[] = [];
  const attempts = new Map<string, number>();
  let consumer = '';

  async function cross(message: IncomingMessage, answer: ServerResponse): Promise<void> {
    const eventId = String(message.headers['webhook-id']);
    const attempt = (attempts.get(eventId) ?? 0) + 1;
    const trouble = attempt === 1 ? troubleOf(attempts.size) : 'none';
    attempts.set(eventId, attempt);
    const body = await bytesOf(message);
    crossings.push({ event: JSON.parse(body.toString('utf8')), attempt, trouble });
    if (trouble === 'refused') {
      answer.writeHead(503).end();
      return;
    }
    const status = await forward(consumer, message, body);
    if (trouble === 'answer lost') message.socket.destroy();
    else answer.writeHead(status).end();
  }

  const server = createServer((message, answer) => {
    cross(message, answer).catch(() => message.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The network has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    crossings,
    connect: (consumerUrl) => {
      consumer = consumerUrl;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
