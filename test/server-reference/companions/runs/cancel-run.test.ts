import { expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { startControlled } from '../../lab/control/control-client.ts';
import { listenAt } from '../../events/endpoint-listener.ts';

async function prepare() {
  const control = await startControlled();
  const { baseUrl, world } = control.server;
  const key = world.keys.wildcard;
  return {
    control,
    cancel: (id: string): Promise<ApiResponse> =>
      call(baseUrl, { method: 'POST', path: `/v1/runs/${id}/cancel`, key }),
    view: async (id: string) => (await call(baseUrl, { path: `/v1/runs/${id}`, key })).body,
    get: async (path: string) => (await call(baseUrl, { path, key })).body,
    start: async (json: object): Promise<string> =>
      (await call(baseUrl, { method: 'POST', path: '/v1/runs', key, json })).body.id,
  };
}

test.each(['created', 'pending'])('a run that is %s is cancelled now', async (status) => {
  const { control, cancel, view } = await prepare();
  const { id, type } = await control.run({ status });
  const { status: code, body } = await cancel(id);
  expect(code).toBe(200);
  expect(body).toMatchObject({
    id,
    type,
    status: 'cancelled',
    finished: true,
    execution: { status: 'cancelled' },
    cancellation: { state: 'cancelled', wasStatus: status },
  });
  const after = await view(id);
  expect(after.completedAt).toBe('2026-07-01T00:00:00.000Z');
  expect(after.timing.cancelRequestedAt).toBeNull();
  expect((await cancel(id)).body.cancellation).toEqual({
    state: 'already_terminal',
    wasStatus: 'cancelled',
  });
});

test.each(['running', 'waiting', 'finalizing'])(
  'a run that is %s is cancelled soon after, on the clock, with one event',
  async (status) => {
    const { control, cancel, view } = await prepare();
    const listener = await listenAt();
    await control.endpoint(listener.url);
    const { id } = await control.run({ status });
    const first = await cancel(id);
    expect(first.body).toMatchObject({
      status,
      finished: false,
      execution: { status },
      cancellation: { state: 'requested', wasStatus: status },
    });
    await control.advance(100);
    expect((await cancel(id)).body).toEqual(first.body);
    expect((await view(id)).timing.cancelRequestedAt).toBe('2026-07-01T00:00:00.000Z');
    await control.advance(149);
    expect((await view(id)).status).toBe(status);
    await control.advance(1);
    expect(await view(id)).toMatchObject({
      status: 'cancelled',
      finished: true,
      error: null,
      completedAt: '2026-07-01T00:00:00.250Z',
      timing: { cancelRequestedAt: '2026-07-01T00:00:00.000Z' },
    });
    await control.idle();
    const events = listener.arrivals.map(({ body }) => JSON.parse(body.toString()));
    expect(events.map(({ data }) => data.run.status)).toEqual([status, 'cancelled']);
  },
);

test.each(['completed', 'failed', 'cancelled', 'rejected'])(
  'a run that is %s stays unchanged',
  async (status) => {
    const { control, cancel, view } = await prepare();
    const { id } = await control.run({ status, output: 1 });
    const before = await view(id);
    const { status: code, body } = await cancel(id);
    expect([code, body.finished, body.cancellation]).toEqual([
      200,
      true,
      { state: 'already_terminal', wasStatus: status },
    ]);
    expect(body).not.toHaveProperty('output');
    await control.advance(60_000);
    expect(await view(id)).toEqual(before);
  },
);

test('a run that ends before its cancellation keeps its end', async () => {
  const { control, cancel, view } = await prepare();
  const scheduledTransitions = [{ status: 'completed', afterMilliseconds: 200 }];
  const { id } = await control.run({ status: 'finalizing', scheduledTransitions });
  expect((await cancel(id)).body.cancellation.state).toBe('requested');
  await control.advance(60_000);
  expect(await view(id)).toMatchObject({ status: 'completed', finished: true });
});

test('transitions that are due before the cancellation still happen', async () => {
  const { control, cancel, get } = await prepare();
  const scheduledTransitions = [
    { status: 'finalizing', afterMilliseconds: 100 },
    { status: 'completed', afterMilliseconds: 900 },
  ];
  const { id } = await control.run({ status: 'running', scheduledTransitions });
  await cancel(id);
  await control.advance(60_000);
  const { events } = await get(`/v1/runs/${id}/events`);
  expect(events.map(({ type, status }: Record<string, string>) => [type, status])).toEqual([
    ['run.created', 'running'],
    ['run.cancel_requested', null],
    ['run.status_changed', 'finalizing'],
    ['run.status_changed', 'cancelled'],
  ]);
});

test('a run that is moved by hand after the request is cancelled all the same', async () => {
  const { control, cancel, view } = await prepare();
  const { id } = await control.run({ status: 'running' });
  await cancel(id);
  await control.move(id, 'waiting');
  await control.advance(250);
  expect((await view(id)).status).toBe('cancelled');
});

test('a started run is cancelled in the middle of its steps', async () => {
  const { control, cancel, get, start } = await prepare();
  const id = await start({ target: 'workflows.invoice-matcher' });
  await control.advance(1_000);
  await cancel(id);
  await control.advance(60_000);
  const { steps } = await get(`/v1/runs/${id}/steps`);
  expect(steps.map(({ status }: { status: string }) => status)).toEqual([
    'completed',
    'cancelled',
    'skipped',
  ]);
});
