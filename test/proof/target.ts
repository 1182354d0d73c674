import type { ConformanceOptions, Side } from '@hookproof/conformance';
import { createServer, virtualClock } from '@hookproof/server-reference';

import { startOwnReceiver } from './receivers/own-receiver.ts';
import { SECRET } from './receivers/secret.ts';

/** A right implementation in this process. */
export interface Target {
  readonly options: ConformanceOptions;
  close(): Promise<void>;
}

/** Starts the implementation of a side. */
export async function startTarget(side: Side): Promise<Target> {
  if (side === 'receiver') return receiverTarget();
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

async function receiverTarget(): Promise<Target> {
  const receiver = await startOwnReceiver();
  const { url, observerUrl } = receiver;
  return {
    options: {
      receiver: { url, secret: SECRET, observerUrl },
      allowWrites: true,
      only: ['receiver'],
    },
    close: () => receiver.close(),
  };
}
