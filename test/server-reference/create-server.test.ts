import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer, ServerOptions } from '@hookproof/server-reference';
import type { Event, WebhookEndpoint } from '@hookproof/spec/control';
import { describe, expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { call } from './contract-client.ts';
import type { ApiResponse } from './contract-client.ts';
import { blockWrites, readDataFolder } from './data-folder.ts';
import { START, controlClient } from './lab/control/control-client.ts';
import { recordingLogger } from './store/recording-logger.ts';

async function start(options: ServerOptions): Promise<ReferenceServer> {
  const server = await createServer(options);
  onTestFinished(() => server.close());
  return server;
}

async function inFolder(seed?: number): Promise<ReferenceServer> {
  const store = { kind: 'folder', path: emptyFolder() } as const;
  return start(seed === undefined ? { store } : { store, seed });
}

function rename({ baseUrl, world }: ReferenceServer, title: string): Promise<ApiResponse> {
  const { reviewAutomationId, openReviewId } = world.fixtures;
  return call(baseUrl, {
    method: 'PATCH',
    path: `/v1/automations/${reviewAutomationId}/dataset-review-requests/${openReviewId}`,
    key: world.keys.wildcard,
    json: { title },
  });
}

describe('createServer', () => {
  test('gives the same keys for the same seed, and a control token to each server', async () => {
    const [one, other, third] = await Promise.all([
      start({ store: { kind: 'memory' } }),
      start({ store: { kind: 'memory' }, seed: 1 }),
      start({ store: { kind: 'memory' }, seed: 2 }),
    ]);
    expect(one.world).toEqual(other.world);
    expect(one.world.keys).not.toEqual(third.world.keys);
    expect(one.controlToken).not.toBe(other.controlToken);
    expect(one.controlUrl).toBe(`${one.baseUrl}/_control`);
  });

  test('gives each folder other keys, ids and signatures, unless a seed is given', async () => {
    const [one, other] = [await inFolder(), await inFolder()];
    expect(one.world.keys.wildcard).not.toBe(other.world.keys.wildcard);
    expect(one.world.fixtures.runId).not.toBe(other.world.fixtures.runId);
    expect((await inFolder(5)).world).toEqual((await inFolder(5)).world);
  });

  test('keeps world, token and writes in a folder, whatever the seed of the next start', async () => {
    const path = emptyFolder();
    const first = await createServer({ store: { kind: 'folder', path } });
    expect((await rename(first, 'Kept')).status).toBe(200);
    await first.close();
    const second = await start({ store: { kind: 'folder', path }, seed: 7 });
    expect(second.world).toEqual(first.world);
    expect(second.controlToken).toBe(first.controlToken);
    const { body } = await call(second.baseUrl, {
      path: '/v1/dataset-review-requests?limit=100',
      key: first.world.keys.reviewer,
    });
    expect(body.data.map((one: { title: string }) => one.title)).toContain('Kept');
  });

  test('frees the folder when the port is taken', async () => {
    const path = emptyFolder();
    const taken = await start({ store: { kind: 'memory' } });
    const port = Number(new URL(taken.baseUrl).port);
    await expect(createServer({ store: { kind: 'folder', path }, port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await start({ store: { kind: 'folder', path } });
  });

  test('responds 500 while it cannot write, still reads, and writes again without a restart', async () => {
    const path = emptyFolder();
    const logger = recordingLogger();
    const server = await start({ store: { kind: 'folder', path }, logger });
    const unblock = await blockWrites(path);
    for (const title of ['Waiting', 'Waiting too']) {
      const { status, body } = await rename(server, title);
      expect(status).toBe(500);
      expect(body.issues).toMatchObject([{ field: '<root>', code: 'internal_error' }]);
      expect(JSON.stringify(body)).not.toContain(path);
    }
    expect(logger.lines.join('\n')).toMatch(/^error PATCH .* failed \(req_/);
    expect(JSON.stringify(await readDataFolder(path))).not.toContain('Waiting');
    const reading = await call(server.baseUrl, {
      path: '/v1/templates',
      key: server.world.keys.wildcard,
    });
    expect(reading.status).toBe(200);
    await unblock();
    await controlClient(server).run();
    expect(JSON.stringify(await readDataFolder(path))).toContain('Waiting too');
  });

  test.each([
    [{ port: -1 }, 'port must be an integer from 0 to 65535, got -1.'],
    [{ port: 65_536 }, 'port must be an integer from 0 to 65535, got 65536.'],
    [{ seed: 1.5 }, /^seed must be an integer from 0 to \d+, got 1.5\.$/],
    [
      { bodyLimitBytes: Number.NaN },
      /^bodyLimitBytes must be an integer from 0 to \d+, got NaN\.$/,
    ],
    [
      { store: { kind: 'folder', path: '' } },
      'store.path must be the path of a folder, got an empty string.',
    ],
  ] as const)('refuses %j', async (options, message) => {
    const starting = createServer({ store: { kind: 'memory' }, ...options });
    await expect(starting).rejects.toThrow(TypeError);
    await expect(starting).rejects.toThrow(message);
  });

  test.each([
    [
      'null',
      "options must be an object with store, such as { store: { kind: 'memory' } }, got null.",
    ],
    ['{}', "store must be { kind: 'memory' } or { kind: 'folder', path }, got undefined."],
    [
      '{"store": "memory"}',
      "store must be { kind: 'memory' } or { kind: 'folder', path }, got 'memory'.",
    ],
    ['{"store": null}', "store must be { kind: 'memory' } or { kind: 'folder', path }, got null."],
    ['{"store": {}}', "store.kind must be 'memory' or 'folder', got undefined."],
    ['{"store": {"kind": "disk"}}', "store.kind must be 'memory' or 'folder', got 'disk'."],
    ['{"store": {"kind": "folder"}}', 'store.path must be the path of a folder, got undefined.'],
    ['{"store": {"kind": "folder", "path": 7}}', 'store.path must be the path of a folder, got 7.'],
  ])('refuses %s from a program without types', async (json, message) => {
    await expect(createServer(JSON.parse(json))).rejects.toThrow(new TypeError(message));
  });
});

test('a server that starts again has the same keys and fixtures, and other ids for new runs and events', async () => {
  const seen = [];
  for (const now of [START, START + 1_000]) {
    const server = await start({ store: { kind: 'memory' }, clock: virtualClock({ now }) });
    const control = controlClient(server);
    const json = { url: 'http://127.0.0.1:1/' };
    const endpoint = await control.expectOk<WebhookEndpoint>(201, '/webhook-endpoints', json);
    const { id } = await control.expectOk<{ id: string }>(201, '/runs', {});
    const { data } = await control.expectOk<{ data: readonly Event[] }>(200, '/events');
    const [event] = data;
    const { keys, fixtures } = server.world;
    seen.push({ id, eventId: event?.id, kept: { keys, fixtures, secret: endpoint.secret } });
  }
  const [first, second] = seen;
  expect(second?.kept).toEqual(first?.kept);
  expect(second?.id).not.toBe(first?.id);
  expect(second?.eventId).not.toBe(first?.eventId);
});
