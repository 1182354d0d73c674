import { connect } from 'node:net';

import { realClock } from '@hookproof/server-reference';
import type { Clock } from '@hookproof/server-reference';
import { describe, expect, test } from 'vitest';

import type { InjectedApiFault } from '../../../../server-reference/src/lab/api-faults/api-fault-plan.ts';
import { call } from '../../contract-client.ts';
import { START, startControlled } from '../control/control-client.ts';
import type { ControlClient } from '../control/control-client.ts';
import { recordingLogger } from '../../store/recording-logger.ts';

function inject(control: ControlClient, order: object): Promise<InjectedApiFault> {
  return control.expectOk(201, '/api-faults', { match: {}, ...order });
}

async function faults(control: ControlClient): Promise<InjectedApiFault[]> {
  return (await control.expectOk<{ data: InjectedApiFault[] }>(200, '/api-faults')).data;
}

/** Reads a connection to its end, however it ends. */
function untilEnd(baseUrl: string, head: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(head));
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

function get(path: string, key: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

describe('an API fault with a status', () => {
  test.each([404, 429, 500])('responds %i in the envelope', async (status) => {
    const logger = recordingLogger();
    const control = await startControlled({ logger });
    const { server } = control;
    const { id } = await inject(control, { match: { method: 'PATCH' }, effect: { status } });
    const { keys, fixtures } = server.world;
    const response = await call(server.baseUrl, {
      method: 'PATCH',
      path: `/v1/automations/${fixtures.workflowId}`,
      key: keys.wildcard,
      json: { folderPath: 'Never made' },
    });
    expect(response.status).toBe(status);
    expect(response.body.issues).toMatchObject([{ field: '<root>', code: 'injected_fault' }]);
    expect(response.body.issues[0].message).toContain(id);
    const waits = status === 429 || status === 503;
    expect(response.headers['retry-after']).toBe(waits ? '1' : undefined);
    const [fault] = await faults(control);
    expect(fault).toMatchObject({ matched: 1, hits: 1 });
    expect(fault?.recentHits).toEqual([
      {
        at: new Date(START).toISOString(),
        requestId: response.body.requestId,
        method: 'PATCH',
        path: `/v1/automations/${fixtures.workflowId}`,
      },
    ]);
    expect(logger.lines).toEqual([]);
  });

  test.each([
    [503, 7],
    [500, 0],
  ])('responds %i with the ordered Retry-After %i', async (status, retryAfter) => {
    const control = await startControlled();
    await inject(control, { effect: { status, retryAfter } });
    const { baseUrl, world } = control.server;
    const response = await call(baseUrl, { path: '/v1/auth/check', key: world.keys.ocr });
    expect([response.status, response.headers['retry-after']]).toEqual([
      status,
      String(retryAfter),
    ]);
  });
});

test.each([
  [{ status: 500 }, 'pending', /^HTTP\/1\.1 500 /],
  [{ reset: true }, 'pending', /^$/],
  [{ truncateBody: 3 }, 'cancelled', /^HTTP\/1\.1 200 /],
])('a cancellation that meets the fault %j leaves the run %s', async (effect, status, seen) => {
  const control = await startControlled();
  const { baseUrl, world } = control.server;
  const { id } = await control.run();
  await inject(control, { times: 1, effect });
  const head = get(`/v1/runs/${id}/cancel`, world.keys.wildcard).replace(/^GET/, 'POST');
  const text = await untilEnd(baseUrl, head.replace('\r\n', '\r\nConnection: close\r\n'));
  expect(text).toMatch(seen);
  expect(await control.expectOk(200, `/runs/${id}`)).toMatchObject({ status });
});

describe('a match', () => {
  test.each([
    [{ operationId: 'getRun' }, [true, false, false, false]],
    [{ tenant: 'other' }, [false, false, false, true]],
    [{ key: 'other' }, [false, false, false, true]],
  ])('of %j', async ({ tenant, key, ...match }: Record<string, string>, expected) => {
    const control = await startControlled();
    const { baseUrl, world } = control.server;
    const { otherTenant, wildcard } = world.keys;
    const who = await call(baseUrl, { path: '/v1/auth/check', key: otherTenant });
    await inject(control, {
      match: {
        ...match,
        ...(tenant === undefined ? {} : { tenantId: who.body.tenantId }),
        ...(key === undefined ? {} : { key: otherTenant }),
      },
      effect: { status: 409 },
    });
    const run = world.fixtures.runId;
    const statuses = await Promise.all(
      [
        { path: `/v1/runs/${run}`, key: wildcard },
        { path: `/api/v1/runs/${run}`, key: wildcard },
        { path: '/v1/nothing', key: wildcard },
        { path: '/v1/auth/check', key: otherTenant },
      ].map(async (what) => (await call(baseUrl, what)).status === 409),
    );
    expect(statuses).toEqual(expected);
  });

  test('of a path ignores the query, and excludes paths below it', async () => {
    const control = await startControlled();
    const { baseUrl, world } = control.server;
    const path = `/v1/runs/${world.fixtures.runId}`;
    await inject(control, { match: { path }, effect: { status: 409 } });
    const statuses: number[] = [];
    for (const target of [path, `${path}?a=1`, `${path}/usage`, '/v1/runs']) {
      statuses.push((await call(baseUrl, { path: target, key: world.keys.wildcard })).status);
    }
    expect(statuses).toEqual([409, 409, 200, 200]);
  });

  test.each(['/v1/templates', '/v1/runs'])(
    'of %s is checked after the key and before the scope',
    async (path) => {
      const control = await startControlled();
      await inject(control, { effect: { status: 404 } });
      const { baseUrl, world } = control.server;
      expect((await call(baseUrl, { path, key: null })).status).toBe(401);
      expect((await call(baseUrl, { path, key: world.keys.ocr })).status).toBe(404);
      expect((await faults(control))[0]).toMatchObject({ matched: 1 });
    },
  );
});

describe('latency', () => {
  test.each([
    [{}, 200],
    [{ status: 500 }, 500],
  ])(
    'holds a request until the clock has advanced; with %o it ends in %i',
    async (more, expected) => {
      const control = await startControlled();
      await inject(control, { effect: { latencyMilliseconds: 5000, ...more } });
      const { baseUrl, world } = control.server;
      let status = 0;
      const responding = call(baseUrl, { path: '/v1/auth/check', key: world.keys.ocr });
      void responding.then((response) => (status = response.status));
      await expect.poll(() => faults(control)).toMatchObject([{ hits: 1 }]);
      await control.advance(4999);
      expect(status).toBe(0);
      await control.advance(1);
      expect((await responding).status).toBe(expected);
    },
  );

  test('of a disconnected caller leaves no timer', async () => {
    const real = realClock();
    const cleared: unknown[] = [];
    const clock: Clock = {
      ...real,
      clearTimeout(handle) {
        cleared.push(handle.dueAt);
        real.clearTimeout(handle);
      },
    };
    const control = await startControlled({ clock });
    const { server } = control;
    await inject(control, { effect: { latencyMilliseconds: 86_400_000 } });
    const before = cleared.length;
    const { hostname, port } = new URL(server.baseUrl);
    const socket = connect(Number(port), hostname, () =>
      socket.write(get('/v1/auth/check', server.world.keys.ocr)),
    );
    await expect.poll(() => faults(control)).toMatchObject([{ hits: 1 }]);
    socket.destroy();
    await expect.poll(() => cleared.length).toBeGreaterThan(before);
  });
});

describe('a fault in the connection', () => {
  test.each([0, 10, 1_000_000])('closes it after %i bytes of the body', async (bytes) => {
    const control = await startControlled();
    const { baseUrl, world } = control.server;
    const key = world.keys.ocr;
    const whole = await call(baseUrl, { path: '/v1/auth/check', key });
    await inject(control, { effect: { truncateBody: bytes } });
    const text = await untilEnd(baseUrl, get('/v1/auth/check', key));
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(body).toBe(JSON.stringify(whole.body).slice(0, bytes));
    const declared = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
    expect(declared).toBeGreaterThan(body.length);
  });

  test('closes it in error responses and downloads, too', async () => {
    const control = await startControlled();
    const { baseUrl, world } = control.server;
    await inject(control, { effect: { truncateBody: 3 } });
    const missing = await untilEnd(baseUrl, get('/v1/nothing', world.keys.wildcard));
    expect(missing).toMatch(/^HTTP\/1\.1 404 [^]*\r\n\r\n\{"i$/);
    const path = `/v1/automations/${world.fixtures.datasetAutomationId}/dataset/export`;
    const archive = await untilEnd(baseUrl, get(path, world.keys.wildcard));
    expect(archive).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\nPK.$/);
  });
});

describe('the control interface', () => {
  test('removes one fault, or all of both kinds', async () => {
    const control = await startControlled();
    const first = await inject(control, { effect: { status: 500 } });
    const second = await inject(control, { effect: { status: 500 } });
    await inject(control, { effect: { status: 500 } });
    await control.call(`/api-faults/${first.id}`, { method: 'DELETE' });
    expect((await faults(control))[0]?.id).toBe(second.id);
    await control.expectOk(201, '/delivery-faults', { name: 'delay' });
    expect((await control.call('/faults', { method: 'DELETE' })).status).toBe(204);
    expect(await faults(control)).toEqual([]);
    expect(await control.expectOk(200, '/delivery-faults')).toEqual({ data: [] });
    const { baseUrl, world } = control.server;
    const { status } = await call(baseUrl, { path: '/v1/auth/check', key: world.keys.ocr });
    expect(status).toBe(200);
  });

  test('refuses fault 101', async () => {
    const control = await startControlled();
    for (let number = 1; number <= 100; number += 1) {
      await inject(control, { effect: { status: 500 } });
    }
    const { issues, hint } = await control.expectError(409, '/api-faults', {
      json: { match: {}, effect: { status: 500 } },
    });
    expect(issues[0]?.code).toBe('too_many_api_faults');
    expect(issues[0]?.message).toBe('at most 100 API faults can be armed, got 101');
    expect(hint).toContain('DELETE /_control/api-faults/{id}, or all with DELETE /_control/faults');
  });
});
