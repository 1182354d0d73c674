import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';

import { createReceiver } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { nodeHandler } from '@hookproof/receiver/node';

import { SECRET } from '../../delivery.ts';

/** The servers of the receive bench: `bare` is the floor, which reads the body, checks the HMAC and responds. */
const key = createSecretKey(Buffer.from(SECRET));

const bare: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { headers } = request;
    const prefix = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`;
    const body = Buffer.concat(chunks);
    const computed = createHmac('sha256', key).update(prefix).update(body).digest();
    const received = Buffer.from(String(headers['webhook-signature']).slice(3), 'hex');
    const isValid = received.length === computed.length && timingSafeEqual(received, computed);
    response.writeHead(isValid ? 204 : 401).end();
  });
};

/** It accepts events and handles none, as an app that has a worker elsewhere. */
async function accepting(): Promise<RequestListener> {
  let store = memoryStore();
  let events = 0;
  // The bodies of events that nothing handles have a bound.
  const accept: typeof store.accept = (event) => {
    events += 1;
    if (events % 30_000 === 0) store = memoryStore();
    return store.accept(event);
  };
  const receiver = createReceiver({ secrets: SECRET, store: { ...store, accept }, handlers: {} });
  await receiver.start({ work: false });
  return nodeHandler(receiver);
}

const server = createServer(process.argv[2] === 'bare' ? bare : await accepting());
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.send?.({ baseUrl: `http://127.0.0.1:${port}` });
});
process.on('disconnect', () => process.exit());
