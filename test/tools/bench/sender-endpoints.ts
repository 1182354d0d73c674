import { once } from 'node:events';
import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';

/**
 * The endpoints of the sender bench, in a separate thread. One listener responds 204 after it has read a
 * request, and never responds to paths under `/hung`. After a message with the number n, it posts a
 * message when it has sent n more responses.
 */
let responded = 0;
let expected = Infinity;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.url?.startsWith('/hung')) return;
    response.writeHead(204).end();
    responded += 1;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
    if (responded === expected) parentPort?.postMessage('done');
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
parentPort?.on('message', (more: number) => (expected = responded + more));
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
parentPort?.postMessage(typeof address === 'object' && address !== null ? address.port : 0);
