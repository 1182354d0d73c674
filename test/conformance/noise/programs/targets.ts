import type { ConformanceOptions } from '@hookproof/conformance';
import type { Between } from '@hookproof/conformance/hooks';
import { startProxy } from '@hookproof/conformance/proof';
import type { Proxy } from '@hookproof/conformance/proof';
import { createServer, virtualClock } from '@hookproof/server-reference';

import { SECRET } from '../../../proof/receivers/secret.ts';
import { startOwnReceiver } from '../../../proof/receivers/own-receiver.ts';

/** `full`: API and sender on a virtual clock, with all access. `reads`: the API of a deployment, only read. */
export type Kind = 'full' | 'reads' | 'receiver';

/** A right implementation behind a proxy. */
export interface Target {
  readonly options: ConformanceOptions;
  close(): Promise<void>;
}

/** Starts a right implementation, with `between` on every way of the suite's requests to it. */
export function startTarget(kind: Kind, between: Between): Promise<Target> {
  return kind === 'receiver' ? receiverTarget(between) : serverTarget(kind, between);
}

async function serverTarget(kind: 'full' | 'reads', between: Between): Promise<Target> {
  const server = await createServer({
    store: { kind: 'memory' },
    bodyLimitBytes: 1_048_576,
    // Above the size of the smallest fixture file, so that both kinds of downloads occur.
    redirectAboveBytes: 90,
    // The clock must not pass over a delivery that noise makes slow: then its attempt times out.
    ...(kind === 'full'
      ? { clock: virtualClock({ now: Date.now(), stallTimeoutMilliseconds: 1_000 }) }
      : {}),
  });
  const proxy = await proxyBefore(server.baseUrl, between);
  const { keys, fixtures } = server.world;
  const { wildcard, reviewer, ocr, workflow, otherTenant } = keys;
  const controlPath = new URL(server.controlUrl).pathname;
  const bounds = { bodyLimitBytes: '1048576' };
  return {
    options: {
      baseUrl: proxy.url,
      appUrl: proxy.url,
      ...(kind === 'full'
        ? {
            control: { url: proxy.url + controlPath, token: server.controlToken },
            fixtures: bounds,
            sender: true,
            allowWrites: true,
            allowDeletes: true,
          }
        : {
            key: wildcard,
            keys: { reviewer, ocr, workflow, otherTenant },
            fixtures: { ...fixtures, ...bounds },
          }),
    },
    async close() {
      await proxy.close();
      await server.close();
    },
  };
}

async function receiverTarget(between: Between): Promise<Target> {
  const receiver = await startOwnReceiver();
  const proxy = await proxyBefore(new URL(receiver.url).origin, between);
  const behind = (url: string): string => proxy.url + new URL(url).pathname;
  return {
    options: {
      receiver: {
        url: behind(receiver.url),
        secret: SECRET,
        observerUrl: behind(receiver.observerUrl),
      },
      allowWrites: true,
    },
    async close() {
      await proxy.close();
      await receiver.close();
    },
  };
}

/** The target learns the host of the proxy, so that its own addresses lead through the proxy too. */
async function proxyBefore(target: string, between: Between): Promise<Proxy> {
  const proxy: Proxy = await startProxy(
    {
      api: (request, next) =>
        between(
          { ...request, headers: [...request.headers, ['host', new URL(proxy.url).host]] },
          next,
        ),
    },
    { target },
  );
  return proxy;
}
