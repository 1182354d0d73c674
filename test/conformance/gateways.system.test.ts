import { startProxy } from '@hookproof/conformance/proof';
import type { Report } from '@hookproof/conformance';
import { expect, onTestFinished, test } from 'vitest';

import { hookproof, serve } from '../bin/hookproof.ts';

type Between = NonNullable<Parameters<typeof startProxy>[0]['api']>;

/** A run that reads, against a server behind a gateway. */
async function judgeBehind(gateway: Between): Promise<Report> {
  const { baseUrl, keys } = await serve();
  const proxy = await startProxy({ api: gateway }, { target: baseUrl });
  onTestFinished(() => proxy.close());
  const args = ['check', '--base-url', proxy.url, '--app-url', proxy.url, '--json'];
  const { stdout } = await hookproof(args, { env: { HOOKPROOF_KEY: keys.wildcard } });
  return JSON.parse(stdout);
}

function failuresIn({ checks }: Report): Report['checks'] {
  return checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'advice');
}

test('a gateway that writes its own x-request-id is named as a possible cause', async () => {
  let count = 0;
  const report = await judgeBehind(async (request, next) => {
    const response = await next(request);
    count += 1;
    const others = response.headers.filter(([name]) => name.toLowerCase() !== 'x-request-id');
    return { ...response, headers: [...others, ['x-request-id', `gateway-${count}`]] };
  });
  const failures = failuresIn(report);
  expect(failures.length).toBeGreaterThan(0);
  for (const { requirements, violation } of failures) {
    expect(requirements).toContain('envelope.request-id.header-equals-body');
    expect(violation?.diagnosis?.cause).toMatch(/gateway, may set the header itself/);
  }
});

test('a filter that refuses with HTML is not taken for a scope of the key', async () => {
  const page = Buffer.from('<html><body>Request blocked</body></html>');
  const report = await judgeBehind(async (request, next) => {
    const isBlocked = /9007199254740991/.test(request.url);
    if (!isBlocked) return next(request);
    return { status: 403, headers: [['content-type', 'text/html']], bytes: page };
  });
  const messages = report.checks.map(({ message }) => message);
  expect(messages.filter((message) => /lacks a scope/.test(message))).toEqual([]);
  expect(messages.join('\n')).toContain(
    'something in front of the API refuses GET /v1/dataset-review-requests: 403 with text/html',
  );
});
