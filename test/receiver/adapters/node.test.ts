import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

import { nodeHandler } from '@hookproof/receiver/node';

import { adapterContract } from './adapter-contract.ts';
import type { MakeListener } from './adapter-contract.ts';
import { socketContract } from './socket-contract.ts';

adapterContract('nodeHandler', (receiver, parseFirst) => {
  const handler = nodeHandler(receiver);
  if (!parseFirst) return handler;
  return (request, response) => void parse(request).then(() => handler(request, response));
});

const afterAsyncMiddleware: MakeListener = (receiver, parseFirst) => {
  const handler = nodeHandler(receiver);
  return (request, response) => {
    const read = parseFirst ? json(request) : Promise.resolve();
    void read.then(() => handler(request, response));
  };
};

adapterContract('nodeHandler after asynchronous middleware', afterAsyncMiddleware);
socketContract('nodeHandler', (receiver) => nodeHandler(receiver));
socketContract('nodeHandler after asynchronous middleware', afterAsyncMiddleware);

/** As `express.json()` does. */
async function parse(request: IncomingMessage & { body?: unknown }): Promise<void> {
  request.body = await json(request);
}
