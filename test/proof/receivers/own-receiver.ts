import { createServer } from 'node:http';

import { createReceiver } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { nodeHandler } from '@hookproof/receiver/node';

import { listen } from './listen.ts';
import { SECRET } from './secret.ts';
import type { RunningReceiver } from './running-receiver.ts';

/** The receiver of this repository with an observer, in this process. */
export async function startOwnReceiver({
  secret = SECRET,
  /** Whether something reads the body before the receiver. */
  isParsed = false,
  isStarted = true,
} = {}): Promise<RunningReceiver> {
  const handled: object[] = [];
  const handledIds = new Set<string>();
  const receiver = createReceiver({
    secrets: secret,
    store: memoryStore(),
    mode: 'live',
    handlers: {
      event: async ({ id, type, data: { run } }, { timeline }) => {
        // The observer lists the events of a run in their order: what is older than a handled one is left out.
        const { steps } = await timeline();
        const place = steps.findIndex((step) => step.id === id);
        const isLate = steps.slice(place + 1).some((step) => handledIds.has(step.id));
        handledIds.add(id);
        if (place < 0 || isLate) return;
        handled.push({ id, runId: run.id, type, status: run.status });
      },
      test: () => undefined,
    },
    onError: () => undefined,
  });
  if (isStarted) await receiver.start();
  const receive = nodeHandler(receiver);
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/observer') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ handled }));
    } else if (isParsed) {
      request.resume().once('end', () => receive(request, response));
    } else {
      receive(request, response);
    }
  });
  return listen(server, () => receiver.close());
}
