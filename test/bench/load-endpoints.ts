import { once } from 'node:events';
import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';

import type { EndpointCount, EndpointKind } from './load.ts';

/**
 * The endpoints of the load bench, in a separate thread. The first part of a path selects their response.
 * They count requests by endpoint and event. After a message with the number n, they post a message when
 * n pairs in total have got 204. After the message `count`, they post the counts.
 */
const arrivals = new Map<string, number>();
let responded = 0;
let expected = Infinity;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const path = request.url ?? '';
    const pair = `${path} ${String(request.headers['webhook-id'])}`;
    const times = (arrivals.get(pair) ?? 0) + 1;
    arrivals.set(pair, times);
    if (path.startsWith('/hanging')) return;
    if (path.startsWith('/resetting')) {
      request.socket.resetAndDestroy();
      return;
    }
    response.writeHead(path.startsWith('/erring') ? 500 : 204).end();
    if (path.startsWith('/healthy') && times === 1) responded += 1;
    if (responded === expected) {
      expected = Infinity;
      send('done');
    }
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');

function send(message: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage(message);
}

function count(kind: EndpointKind): EndpointCount {
  const times = [...arrivals].filter(([pair]) => pair.startsWith(`/${kind}`)).map(([, one]) => one);
  return { pairs: times.length, most: Math.max(0, ...times) };
}

parentPort?.on('message', (message: number | 'count') => {
  if (message === 'count') {
    const [healthy, hanging, erring, resetting] = [
      count('healthy'),
      count('hanging'),
      count('erring'),
      count('resetting'),
    ];
    send({ healthy, hanging, erring, resetting });
  } else expected = message;
});
const address = server.address();
send(typeof address === 'object' && address !== null ? address.port : 0);
