import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createReceiver } from '@hookproof/receiver';
import type { Store } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { nodeHandler } from '@hookproof/receiver/node';
import { sqliteStore } from '@hookproof/receiver/sqlite';

import { SECRET } from '../../delivery.ts';

/**
 * The servers of the receive bench, in a separate process, each on its own port. It sends its processor
 * time in response to each message.
 */
const key = createSecretKey(Buffer.from(SECRET));

/** Lower bound: reads the body, checks the HMAC, does `more` with it and responds 204. */
const bare =
  (more: (body: Buffer) => void): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers } = request;
      const prefix = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`;
      const body = Buffer.concat(chunks);
      const computed = createHmac('sha256', key).update(prefix).update(body).digest();
      const received = Buffer.from(String(headers['webhook-signature']).slice(3), 'hex');
      const fits = received.length === computed.length && timingSafeEqual(received, computed);
      more(body);
      response.writeHead(fits ? 204 : 401).end();
    });
  };

/** A receiver with a store. If `isHandling` is false, it only accepts events. */
async function accepting(store: Store, isHandling: boolean): Promise<RequestListener> {
  const receiver = createReceiver({
    secrets: SECRET,
    store,
    handlers: { event: () => {} },
  });
  await receiver.start({ work: isHandling });
  return nodeHandler(receiver);
}

const folder = await mkdtemp(path.join(tmpdir(), 'hookproof-bench-'));
const roomy = () => memoryStore({ maxEvents: 1_000_000, maxBytes: 2_000_000_000 });
const listeners = {
  bare: bare(() => {}),
  bareParsing: bare((body) => void JSON.parse(body.toString())),
  memory: await accepting(roomy(), false),
  memoryHandling: await accepting(roomy(), true),
  sqlite: await accepting(sqliteStore({ file: path.join(folder, 'events.db') }), false),
};
const ports: Record<string, number> = {};
for (const [name, listener] of Object.entries(listeners)) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  ports[name] = typeof address === 'object' && address !== null ? address.port : 0;
}
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ processorMicroseconds: user + system });
});
process.send?.({ ports, folder });
