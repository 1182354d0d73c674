import type { ConformanceOptions } from '@hookproof/conformance';
import { createServer, virtualClock } from '@hookproof/server-reference';

import type { Order } from './order.ts';
import { startReceiver } from './receivers/start-receiver.ts';
import { SECRET } from './receivers/secret.ts';

/** A right implementation in this process. */
export interface Target {
  readonly options: ConformanceOptions;
  close(): Promise<void>;
}

/** Starts the implementation of a side. */
export async function startTarget(
  order: Pick<Order, 'side' | 'receiver' | 'observed'>,
): Promise<Target> {
  const { side } = order;
  if (side === 'receiver') return receiverTarget(order);
  const server = await createServer({
    store: { kind: 'memory' },
    bodyLimitBytes: 1_048_576,
    // Above the size of the smallest fixture file, so that both kinds of downloads occur.
    redirectAboveBytes: 90,
    clock: virtualClock({ now: Date.now(), stallTimeoutMilliseconds: 200 }),
  });
  return {
    options: {
      baseUrl: server.baseUrl,
      appUrl: server.appUrl,
      control: { url: server.controlUrl, token: server.controlToken },
      fixtures: { bodyLimitBytes: '1048576' },
      sender: true,
      allowWrites: true,
      allowDeletes: true,
      only: [side],
    },
    close: () => server.close(),
  };
}

async function receiverTarget({
  receiver: name = 'own',
  observed = true,
}: Pick<Order, 'receiver' | 'observed'>): Promise<Target> {
  const receiver = await startReceiver(name);
  const { url, observerUrl } = receiver;
  return {
    options: {
      receiver: { url, secret: SECRET, ...(observed ? { observerUrl } : {}) },
      allowWrites: observed,
      only: ['receiver'],
    },
    close: () => receiver.close(),
  };
}
