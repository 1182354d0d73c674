import { request } from 'node:http';

import { expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { startControlled } from '../../lab/control/control-client.ts';

type Controlled = Awaited<ReturnType<typeof startControlled>>;

interface Waiting {
  readonly id: string;
  readonly response: Promise<ApiResponse>;
}

/** Starts a run over the API; resolves when the run exists, before the response. */
async function startWaiting(
  { server }: Controlled,
  query: string,
  input: object = {},
): Promise<Waiting> {
  const { baseUrl, world } = server;
  const key = world.keys.wildcard;
  const newest = async (): Promise<string> =>
    (await call(baseUrl, { path: '/v1/runs?limit=1', key })).body.runs[0].id;
  const before = await newest();
  const json = { target: 'workflows.invoice-matcher', input };
  const response = call(baseUrl, { method: 'POST', path: `/v1/runs${query}`, key, json });
  await expect.poll(newest).not.toBe(before);
  return { id: await newest(), response };
}

test.each(['completed', 'failed', 'rejected'])(
  'a wait ends with 200 and the view of a run that is %s',
  async (outcome) => {
    const control = await startControlled();
    const { id, response } = await startWaiting(control, '?wait_for_completion=60', {
      $outcome: outcome,
    });
    await control.advance(10_000);
    const { status, body } = await response;
    expect([status, body.id, body.status, body.finished]).toEqual([200, id, outcome, true]);
    const { baseUrl, world } = control.server;
    const read = await call(baseUrl, { path: `/v1/runs/${id}`, key: world.keys.wildcard });
    expect(read.body).toEqual(body);
  },
);

test('a wait that is over first ends with 202, at its time on the clock', async () => {
  const control = await startControlled();
  const { id, response } = await startWaiting(control, '?wait_for_completion=2', {
    $outcome: 'waiting',
  });
  await control.advance(1_999);
  const late = Symbol('late');
  expect(await Promise.race([response, Promise.resolve(late)])).toBe(late);
  await control.advance(1);
  const { status, body } = await response;
  expect([status, body.id, body.status, body.finished]).toEqual([202, id, 'waiting', false]);
});

test('a wait of 0 is none', async () => {
  const { server } = await startControlled();
  const { status } = await call(server.baseUrl, {
    method: 'POST',
    path: '/v1/runs?wait_for_completion=0',
    key: server.world.keys.wildcard,
    json: { target: 'workflows.invoice-matcher' },
  });
  expect(status).toBe(201);
});

test('a rerun can wait', async () => {
  const control = await startControlled();
  const { baseUrl, world } = control.server;
  const key = world.keys.wildcard;
  const path = `/v1/runs/${world.fixtures.runId}/rerun?wait_for_completion=60`;
  const response = call(baseUrl, { method: 'POST', path, key });
  const pending = async (): Promise<number> =>
    (await call(baseUrl, { path: '/v1/runs?from=now&status=pending', key })).body.total;
  await expect.poll(pending).toBe(1);
  await control.advance(10_000);
  const { status, body } = await response;
  expect([status, body.status, body.execution.retry.number]).toEqual([200, 'completed', 1]);
});

test('a client that disconnects ends the wait, and not the run', async () => {
  const control = await startControlled();
  const { server } = control;
  const key = server.world.keys.wildcard;
  const sent = request(`${server.baseUrl}/v1/runs?wait_for_completion=600`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  sent.on('error', () => {});
  sent.end('{"target":"workflows.invoice-matcher"}');
  const started = async (): Promise<string[]> =>
    (await call(server.baseUrl, { path: '/v1/runs?from=now&trigger=api', key })).body.runs.map(
      (one: { id: string }) => one.id,
    );
  await expect.poll(async () => (await started()).length).toBe(1);
  const [id] = await started();
  sent.destroy();
  await control.advance(60_000);
  const { body } = await call(server.baseUrl, { path: `/v1/runs/${id}`, key });
  expect(body.status).toBe('completed');
});

test('a wait ends with a response when the server closes, so that no client repeats the start', async () => {
  const control = await startControlled();
  const { response } = await startWaiting(control, '?wait_for_completion=600', {
    $outcome: 'waiting',
  });
  const [{ status, body }] = await Promise.all([response, control.server.close()]);
  expect([status, body.finished]).toEqual([202, false]);
});
