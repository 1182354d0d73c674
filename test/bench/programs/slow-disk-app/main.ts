/**
 * An app with two routes: POST receives deliveries, GET responds at once. With a file as argument a
 * receiver accepts and handles the deliveries; without one they get a 204.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import process from 'node:process';

import { createReceiver } from '@hookproof/receiver';
import { nodeHandler } from '@hookproof/receiver/node';
import { sqliteStore } from '@hookproof/receiver/sqlite';

import { SECRET } from '../../delivery.ts';

async function deliveryRoute(file: string): Promise<RequestListener> {
  const receiver = createReceiver({
    secrets: SECRET,
    store: sqliteStore({ file }),
    handlers: { event: () => {} },
  });
  await receiver.start();
  return nodeHandler(receiver);
}

const bare: RequestListener = (request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
};

const [file] = process.argv.slice(2);
const post = file === undefined ? bare : await deliveryRoute(file);
const server = createServer((request, response) => {
  if (request.method === 'POST') post(request, response);
  else response.end('ok');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;
process.send?.({ baseUrl: `http://127.0.0.1:${port}`, key: '', controlToken: '' });
