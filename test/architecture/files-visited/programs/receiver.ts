import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createReceiver } from '@hookproof/receiver';
import type { Receiver } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { nodeHandler } from '@hookproof/receiver/node';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import type { SignedDelivery } from '@hookproof/receiver/testing';
import { verify } from '@hookproof/receiver/verify';
import { request } from 'undici';

import type { Coverage, VisitedFile } from './coverage.ts';

const SECRET = 'whsec_a-secret-of-the-measurement';

/** A delivery over HTTP until the response with 2xx is decided, memory store. */
export async function receive(coverage: Coverage): Promise<VisitedFile[]> {
  const receiver = createReceiver({
    secrets: SECRET,
    store: memoryStore(),
    handlers: { event: () => {} },
  });
  await receiver.start();
  let visited: VisitedFile[] = [];
  // What the worker does afterwards is not part of it.
  const measured: Pick<Receiver, 'receive'> = {
    async receive(received) {
      const response = await receiver.receive(received);
      visited = coverage.take();
      return response;
    },
  };
  const server = createServer(nodeHandler(measured));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    for (const id of ['exec_1', 'exec_2', 'exec_3']) {
      const event = signed(id);
      coverage.take();
      await post(`http://127.0.0.1:${port}/`, event);
      await receiver.idle();
    }
    return visited;
  } finally {
    server.close();
    await receiver.close();
  }
}

/** One call of `verify`. */
export function verifyDelivery(coverage: Coverage): Promise<VisitedFile[]> {
  let visited: VisitedFile[] = [];
  for (const id of ['exec_1', 'exec_2', 'exec_3']) {
    const { body, headers } = signed(id);
    coverage.take();
    verify(body, headers, { secrets: SECRET });
    visited = coverage.take();
  }
  return Promise.resolve(visited);
}

function signed(id: string): SignedDelivery {
  return signEvent(runCreatedEvent({ run: { id } }), { secret: SECRET });
}

async function post(url: string, { headers, body }: SignedDelivery): Promise<void> {
  const response = await request(url, { method: 'POST', headers: { ...headers }, body });
  await response.body.dump();
  if (response.statusCode >= 300) {
    throw new Error(`POST ${url} must get 2xx, got ${response.statusCode}`);
  }
}
