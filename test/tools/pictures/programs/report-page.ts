import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { renderHtml, runConformance } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';
import { defects, runTransformed } from '@hookproof/conformance/proof';
import { createReceiver } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { nodeHandler } from '@hookproof/receiver/node';
import { createServer, virtualClock } from '@hookproof/server-reference';

import { NOW } from './moment.ts';

/** What the checked platform does wrong. */
const DEFECTS = new Set(['agent-pages-skip-an-entry', 'end-after-408']);

/** Checks a platform with two defects, and returns the report as a page that is the same each time. */
export async function reportPage(): Promise<string> {
  const server = await createServer({
    store: { kind: 'memory' },
    clock: virtualClock({ now: NOW }),
    seed: 1,
  });
  try {
    const report = await runTransformed(
      {
        baseUrl: server.baseUrl,
        appUrl: server.appUrl,
        key: server.world.keys.wildcard,
        control: { url: server.controlUrl, token: server.controlToken },
        sender: true,
        allowWrites: true,
        allowDeletes: true,
      },
      defects.filter(({ id }) => DEFECTS.has(id)),
    );
    const same = withoutChance(report, server.baseUrl, 'https://api.example.com');
    // Requests are repeated more or less often.
    const wire = { ...same.wire, requests: 560, bytesSent: 1_650_000 };
    return renderHtml({ ...same, durationMilliseconds: 6200, wire });
  } finally {
    await server.close();
  }
}

/** Checks a receiver that has the secret of another endpoint: every failure has this one cause. */
export async function oneCausePage(): Promise<string> {
  const receiver = createReceiver({
    secrets: 'whsec_c2VjcmV0IG9mIGFub3RoZXIgZW5kcG9pbnQ=',
    store: memoryStore(),
    handlers: {},
    onError: () => undefined,
  });
  await receiver.start();
  const app = createHttpServer(nodeHandler(receiver));
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  const { port }: AddressInfo = Object(app.address());
  const origin = `http://127.0.0.1:${port}`;
  try {
    const secret = 'whsec_c2VjcmV0IG9mIHRoaXMgZW5kcG9pbnQ=';
    const report = await runConformance({ receiver: { url: `${origin}/webhooks`, secret } });
    return renderHtml({
      ...withoutChance(report, origin, 'https://app.example.com'),
      durationMilliseconds: 300,
    });
  } finally {
    app.close();
    app.closeAllConnections();
    await receiver.close();
  }
}

/** Replaces what differs from run to run: the address and the time. */
function withoutChance(report: Report, origin: string, shown: string): Report {
  const text = JSON.stringify(report).replaceAll(origin, shown);
  const same: Report = JSON.parse(text);
  return {
    ...same,
    startedAt: new Date(NOW).toISOString(),
    target: { ...same.target, clockOffsetMilliseconds: 0 },
  };
}
