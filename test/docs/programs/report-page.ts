import { renderHtml } from '@hookproof/conformance';
import type { Report } from '@hookproof/conformance';
import { defects, runTransformed } from '@hookproof/conformance/proof';
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
    return renderHtml(withoutChance(report, server.baseUrl));
  } finally {
    await server.close();
  }
}

/** Replaces what differs from run to run: the address, the times and the number of repeated requests. */
function withoutChance(report: Report, baseUrl: string): Report {
  const text = JSON.stringify(report).replaceAll(baseUrl, 'https://api.example.com');
  const same: Report = JSON.parse(text);
  return {
    ...same,
    startedAt: new Date(NOW).toISOString(),
    durationMilliseconds: 6200,
    target: { ...same.target, clockOffsetMilliseconds: 0 },
    wire: { ...same.wire, requests: 560, bytesSent: 1_650_000 },
  };
}
