import http from 'node:http';
import type { RequestListener } from 'node:http';

import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import type { World } from '@hookproof/spec/control';
import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import { describe, expect, onTestFinished, test } from 'vitest';

import { loadServerDocument } from '../../../server-reference/src/api/server-document.ts';
import { openServer } from '../../../server-reference/src/server.ts';
import type { OpenedServer } from '../../../server-reference/src/server.ts';
import type { State } from '../../../server-reference/src/store/state.ts';
import { call } from '../contract-client.ts';
import type { ApiResponse } from '../contract-client.ts';
import { START, controlClient } from '../lab/control/control-client.ts';
import { recordingLogger } from '../store/recording-logger.ts';
import { formBytes } from './files/file-server.ts';

const FORM = formBytes([{ name: 'file', filename: 'a.txt', type: 'text/plain', bytes: 'a' }]);
const document = loadServerDocument();
const operations = [...listOperations(document), ...listCompanions(document)];

/** A request whose headers the server has accepted, and whose body is missing. */
interface Begun {
  readonly finish: () => void;
  readonly status: Promise<number>;
}

function begin(
  { baseUrl }: ReferenceServer,
  [method, path]: readonly [method: string, path: string],
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
): Promise<Begun> {
  return new Promise((resolve, reject) => {
    const size = Buffer.byteLength(body);
    const sent = http.request(new URL(path, baseUrl), {
      method,
      headers: { ...headers, 'content-length': size, expect: '100-continue' },
    });
    const status = new Promise<number>((settle) => {
      sent.once('response', (response) => {
        response.resume();
        settle(response.statusCode ?? 0);
        reject(new Error(`${method} ${path} got ${response.statusCode} before its body`));
      });
    });
    sent.once('continue', () => resolve({ finish: () => void sent.end(body), status }));
    sent.once('error', reject);
    sent.flushHeaders();
  });
}

test('a tenant that is deleted while a body arrives gets 401 from every operation', async () => {
  const server = await createServer({ store: { kind: 'memory' } });
  onTestFinished(() => server.close());
  const control = controlClient(server);
  const world = await control.expectOk<World>(201, '/worlds', {});
  const { datasetAutomationId, exampleId, reviewedRunId } = world.fixtures;
  const authorization = `Bearer ${world.keys.wildcard}`;
  const ids: Record<string, string | undefined> = { exampleId };
  const begun: [string, Begun][] = [];
  for (const { method, path, operationId, requestBody } of operations) {
    const id = path.includes('/runs/') ? reviewedRunId : datasetAutomationId;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? id ?? 'x');
    for (const [type, body] of [
      ['application/json', '{}'],
      ['multipart/form-data', FORM],
    ] as const) {
      if (requestBody?.content[type] === undefined) continue;
      const boundary = type === 'application/json' ? '' : '; boundary=edge';
      const headers = { authorization, 'content-type': type + boundary };
      const place = [method.toUpperCase(), filled] as const;
      begun.push([`${operationId} ${type}`, await begin(server, place, headers, body)]);
    }
  }
  expect(begun.length).toBeGreaterThan(20);
  await control.call(`/worlds/${world.id}`, { method: 'DELETE' });
  for (const [, { finish }] of begun) finish();
  const statuses = await Promise.all(
    begun.map(async ([name, { status }]) => [name, await status] as const),
  );
  // A form without its required texts is refused for them.
  expect(statuses.filter(([, status]) => status !== 401 && status !== 400)).toEqual([]);
  expect(statuses.filter(([, status]) => status === 401).length).toBeGreaterThan(10);
});

/** Deletes every tenant with all that it has. */
function deleteEveryone(state: State): void {
  const { runReviews, deliveries, webhookEndpoints, events, tenants } = state;
  const { automations, agents, users, apiKeys, examples, experiments, files, runs } = state;
  for (const table of [runReviews, deliveries, webhookEndpoints, events, tenants]) {
    table.deleteWhere(() => true);
  }
  for (const table of [automations, agents, users, apiKeys, examples, experiments, files, runs]) {
    table.deleteWhere(() => true);
  }
}

interface Doomed {
  readonly opened: OpenedServer;
  readonly listener: RequestListener;
  readonly post: (path: string, json?: unknown) => Promise<ApiResponse>;
  /** Deletes everyone with the next run that is stored. */
  readonly afterCommit: () => void;
  /** Deletes everyone when the next bytes are about to be stored. */
  readonly beforeCommit: () => void;
}

async function doomed(): Promise<Doomed> {
  let isArmed = false;
  const logger = recordingLogger();
  const clock = virtualClock({ now: START });
  const opened = await openServer(
    {
      store: { kind: 'memory' },
      clock,
      logger,
      onActivity({ event }) {
        if (event !== 'run' || !isArmed) return;
        isArmed = false;
        void opened.services.store.commit(deleteEveryone);
      },
    },
    'hpc_app',
  );
  onTestFinished(() => opened.close());
  const { services, world } = opened;
  const { store, blobs } = services;
  const handle = opened.app('base').callback();
  const put = blobs.put.bind(blobs);
  const listener: RequestListener = (request, response) => void handle(request, response);
  return {
    opened,
    listener,
    post: (path, json) =>
      call(listener, {
        method: 'POST',
        path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          String(Reflect.get(world.fixtures, name)),
        ),
        key: world.keys.wildcard,
        ...(json === undefined ? {} : { json }),
      }),
    afterCommit: () => {
      isArmed = true;
    },
    beforeCommit() {
      blobs.put = async (...given) => {
        blobs.put = put;
        await store.commit(deleteEveryone);
        return put(...given);
      };
    },
  };
}

const DATASET = '/v1/automations/{datasetAutomationId}';
const START_RUN = { target: 'workflows.invoice-matcher' };

describe('a tenant that is deleted when its run is stored', () => {
  test.each([
    ['/v1/runs', START_RUN],
    ['/v1/runs/{runId}/rerun', undefined],
  ])('gets the run as it began: %s', async (path, json) => {
    const { post, afterCommit, opened } = await doomed();
    afterCommit();
    const { status, body } = await post(path, json);
    expect(status).toBe(201);
    expect(body).toMatchObject({ finished: false, source: { name: expect.any(String) } });
    expect(opened.services.store.state.runs.size).toBe(0);
  });

  test('gets it with a wait too, which ends at once', async () => {
    const { post, afterCommit } = await doomed();
    afterCommit();
    const { status, body } = await post('/v1/runs?wait_for_completion=60', START_RUN);
    expect([status, body.finished]).toEqual([202, false]);
  });

  test.each([
    [`${DATASET}/examples/{exampleId}/run`, undefined],
    [`${DATASET}/experiments`, {}],
    [`${DATASET}/experiments/stream`, {}],
  ])('gets what was started: %s', async (path, json) => {
    const { post, afterCommit } = await doomed();
    afterCommit();
    const { status, bytes } = await post(path, json);
    expect(status).toBeLessThan(300);
    expect(bytes.length).toBeGreaterThan(0);
  });
});

test.each([
  ['/v1/runs', START_RUN],
  ['/v1/runs/{runId}/rerun', undefined],
  [`${DATASET}/examples/{exampleId}/run`, undefined],
  [`${DATASET}/experiments`, {}],
  [`${DATASET}/experiments/stream`, {}],
])('a tenant that is deleted before its run is stored gets 404: %s', async (path, json) => {
  const { post, beforeCommit, opened } = await doomed();
  beforeCommit();
  expect((await post(path, json)).status).toBe(404);
  expect([
    opened.services.store.state.runs.size,
    opened.services.store.state.experiments.size,
  ]).toEqual([0, 0]);
});

test('a request that waits for a run ends when the world is deleted', async () => {
  const server = await createServer({
    store: { kind: 'memory' },
    clock: virtualClock({ now: START }),
  });
  onTestFinished(() => server.close());
  const control = controlClient(server);
  const world = await control.expectOk<World>(201, '/worlds', {});
  const pending = async (): Promise<number> => {
    const { body } = await control.call(`/runs?worldId=${world.id}&status=pending`);
    return (body as { data: unknown[] }).data.length;
  };
  const before = await pending();
  const waiting = call(server.baseUrl, {
    method: 'POST',
    path: '/v1/runs?wait_for_completion=60',
    key: world.keys.wildcard,
    json: START_RUN,
  });
  await expect.poll(pending).toBeGreaterThan(before);
  await control.call(`/worlds/${world.id}`, { method: 'DELETE' });
  const { status, body } = await waiting;
  expect([status, body.finished]).toEqual([202, false]);
});

test('a run of the control interface needs its world until it is stored', async () => {
  const { opened, listener, beforeCommit } = await doomed();
  beforeCommit();
  const control = controlClient({ listener, controlToken: 'hpc_app' });
  await control.expectError(404, '/runs', { json: { outputFiles: [{ path: 'a', text: 'a' }] } });
  expect(opened.services.store.state.runs.size).toBe(0);
});
