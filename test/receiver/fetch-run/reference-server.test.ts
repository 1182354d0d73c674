import { once } from 'node:events';
import { createServer } from 'node:http';

import { createReceiver } from '@hookproof/receiver';
import type { HandlingContext, RunEvent } from '@hookproof/receiver';
import { fetchRunFrom } from '@hookproof/receiver/fetch-run';
import { memoryStore } from '@hookproof/receiver/memory';
import { nodeHandler } from '@hookproof/receiver/node';
import { runCreatedEvent } from '@hookproof/receiver/testing';
import { createServer as createPlatform } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

async function startPlatform(): Promise<ReferenceServer> {
  const platform = await createPlatform({ store: { kind: 'memory' } });
  onTestFinished(() => platform.close());
  return platform;
}

/** Sends an order to the control interface and returns the response. */
async function order(platform: ReferenceServer, path: string, json: object) {
  const response = await fetch(platform.controlUrl + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${platform.controlToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(json),
  });
  expect(response.ok).toBe(true);
  const body: { readonly id: string; readonly secret: string } = await response.json();
  return body;
}

/** An address whose requests go to the receiver that is created after it is known. */
async function reserveAddress() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/` };
}

test('an output that an event omits is read from the platform', async () => {
  const platform = await startPlatform();
  const { server, url } = await reserveAddress();
  const { secret } = await order(platform, '/webhook-endpoints', { url });
  const completed: { event: RunEvent; context: HandlingContext }[] = [];
  const problems: unknown[] = [];
  const receiver = createReceiver({
    secrets: secret,
    store: memoryStore(),
    fetchRun: fetchRunFrom({ baseUrl: platform.baseUrl, key: platform.world.keys.wildcard }),
    handlers: { completed: (event, context) => void completed.push({ event, context }) },
    onError: (problem) => problems.push(problem),
  });
  await receiver.start();
  onTestFinished(() => receiver.close());
  server.on('request', nodeHandler(receiver));

  const output = { text: 'long '.repeat(60_000) };
  const run = await order(platform, '/runs', { status: 'finalizing' });
  await order(platform, `/runs/${run.id}/moves`, { status: 'completed', output });
  await expect.poll(() => completed).toHaveLength(1);
  expect(completed).toMatchObject([
    {
      event: { data: { run: { id: run.id, status: 'completed', output } } },
      context: { isOutputFetched: true },
    },
  ]);
  expect(problems).toEqual([]);
});

test.each([
  [401, 'hp_unknown', null],
  [404, null, 'exec_unknown'],
])('the platform refuses with %i', async (status, key, runId) => {
  const { baseUrl, world } = await startPlatform();
  const fetchRun = fetchRunFrom({ baseUrl, key: key ?? world.keys.wildcard });
  const { signal } = new AbortController();
  await expect(fetchRun(runId ?? 'exec_1', runCreatedEvent(), { signal })).rejects.toMatchObject({
    status,
  });
});

test('the platform limits its rate, with the time to wait', async () => {
  const platform = await startPlatform();
  const effect = { status: 429, retryAfter: 2 };
  await order(platform, '/api-faults', { match: { operationId: 'getRun' }, times: 1, effect });
  const fetchRun = fetchRunFrom({ baseUrl: platform.baseUrl, key: platform.world.keys.wildcard });
  const { signal } = new AbortController();
  await expect(fetchRun('exec_1', runCreatedEvent(), { signal })).rejects.toMatchObject({
    status: 429,
    retryAfterMilliseconds: 2_000,
  });
});
