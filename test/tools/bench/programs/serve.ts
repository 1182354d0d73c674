/** Runs one server: `serve.js NAME [FOLDER]`. It sends its base URL when it is ready. */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener, ServerResponse } from 'node:http';
import path from 'node:path';

import { createReceiver } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { nodeHandler } from '@hookproof/receiver/node';
import { createServer as createReference } from '@hookproof/server-reference';

import { SECRET } from '../delivery.ts';

const [name = '', folder] = process.argv.slice(2);
const key = createSecretKey(Buffer.from(SECRET));

/** The floor of a receiver: it reads the body, checks the HMAC and responds. */
const hmac: RequestListener = (request, response) => {
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

/** About what the reference server sends when a workflow moves. */
const RESPONSE = JSON.stringify({ data: 'x'.repeat(1_000) });

/** The floor of a durable write: one write and one sync for all requests that wait, then their responses. */
async function syncedAppend(): Promise<RequestListener> {
  const file = await open(path.join(folder ?? '.', 'floor'), 'a');
  let waiting: ServerResponse[] = [];
  let isWriting = false;
  const write = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await file.write(RESPONSE.repeat(batch.length));
      await file.datasync();
      for (const response of batch) response.end(RESPONSE);
    }
    isWriting = false;
  };
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString());
      waiting.push(response);
      if (!isWriting) void write();
    });
  };
}

const LISTENERS: Readonly<Record<string, () => RequestListener | Promise<RequestListener>>> = {
  bare: () => (request, response) => void request.resume().on('end', () => response.end('{}')),
  hmac: () => hmac,
  receiver: accepting,
  'synced append': syncedAppend,
};

if (name === 'reference') {
  const store = folder === undefined ? { kind: 'memory' } : { kind: 'folder', path: folder };
  const server = await createReference({ store } as Parameters<typeof createReference>[0]);
  const { baseUrl, controlUrl, controlToken, world } = server;
  const { keys, fixtures } = world;
  process.send?.({ baseUrl, controlUrl, controlToken, key: keys.wildcard, fixtures });
} else {
  const create = LISTENERS[name];
  if (create === undefined) throw new TypeError(`There is no server ${JSON.stringify(name)}.`);
  const server = createServer(await create());
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    process.send?.({ baseUrl: `http://127.0.0.1:${port}` });
  });
}
process.on('disconnect', () => process.exit());
