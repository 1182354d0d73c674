import { request } from 'undici';
import { describe, expect, test } from 'vitest';

import type { SinkView } from '../../../../server-reference/src/lab/sinks/view.ts';
import { startControlled } from '../control/control-client.ts';
import { openSink, readSink } from './sink-client.ts';

describe('sinks', () => {
  test('are opened, listed without their exchanges, read, changed and closed', async () => {
    const control = await startControlled();
    const first = await openSink(control);
    expect(first).toEqual({
      id: 'sink_1',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/sink_1$/),
      createdAt: '2026-07-01T00:00:00.000Z',
      responses: [{ status: 200 }],
      arrived: 0,
      exchanges: [],
    });
    const scripted = [{ status: 503, headers: { 'Retry-After': '2' } }, { reset: true }];
    const second = await openSink(control, scripted);
    expect(new URL(second.url).port).toBe(new URL(first.url).port);
    expect(new URL(second.url).port).not.toBe(new URL(control.server.controlUrl).port);
    expect((await request(second.url, { method: 'POST' })).statusCode).toBe(503);

    const { exchanges: _seen, ...listed } = await readSink(control, second);
    expect(listed).toMatchObject({ responses: [{ reset: true }], arrived: 1 });
    const { exchanges: _none, ...unused } = first;
    expect(await control.expectOk(200, '/sinks')).toEqual({ data: [unused, listed] });

    const changed = await control.call(`/sinks/${second.id}`, {
      method: 'PATCH',
      json: { responses: [{ status: 418, body: 'tea' }] },
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { responses: [{ status: 418 }], arrived: 1 },
    });
    expect((changed.body as SinkView).exchanges).toHaveLength(1);
    const tea = await request(second.url, { method: 'POST' });
    expect([tea.statusCode, await tea.body.text()]).toEqual([418, 'tea']);

    expect((await control.call(`/sinks/${second.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await request(second.url, { method: 'POST' })).statusCode).toBe(404);
    expect(await control.expectOk(200, '/sinks')).toEqual({ data: [unused] });
  });

  test.each([
    ['GET', undefined],
    ['DELETE', undefined],
    ['PATCH', { responses: [{ status: 200 }] }],
  ] as const)('refuse %s with an unknown id with 404', async (method, json) => {
    const control = await startControlled();
    const { issues } = await control.expectError(404, '/sinks/sink_1', { method, json });
    expect(issues[0]).toMatchObject({ code: 'not_found', message: 'no sink has this id' });
  });

  test('number 100 at most', async () => {
    const control = await startControlled();
    for (let opened = 0; opened < 100; opened += 1) await openSink(control);
    const { issues, hint } = await control.expectError(409, '/sinks', { json: {} });
    expect(issues[0]).toMatchObject({
      code: 'too_many_sinks',
      message: 'at most 100 sinks can be open, got one more',
    });
    expect(hint).toContain('DELETE /_control/sinks/');
  });
});

test('a scripted response that cannot be sent is refused, also as a change', async () => {
  const control = await startControlled();
  const opened = await openSink(control);
  for (const [responses, field] of [
    [[], 'responses'],
    [[{ status: 200 }, { status: 199 }], 'responses[1].status'],
    [[{ status: 204, body: 'x' }], 'responses[0].body'],
    [[{ status: 200, headers: { 'Content-Length': '9' } }], 'responses[0].headers.Content-Length'],
    [[{ status: 200, headers: { 'X Y': '9' } }], 'responses[0].headers["X Y"]'],
  ] as const) {
    const { issues } = await control.expectError(400, '/sinks', { json: { responses } });
    expect(issues.map((issue) => issue.field)).toContain(field);
    const change = { method: 'PATCH', json: { responses } } as const;
    await control.expectError(400, `/sinks/${opened.id}`, change);
  }
  expect((await readSink(control, opened)).responses).toEqual([{ status: 200 }]);
});
