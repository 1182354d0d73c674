import { afterAll, describe, expect, test } from 'vitest';

import { call } from '../contract-client.ts';
import type { ApiResponse } from '../contract-client.ts';
import { openApp } from '../open-app.ts';

const LIMIT = 2000;

const app = await openApp({ bodyLimitBytes: LIMIT });
afterAll(() => app.close());

function send(raw: string | Buffer, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return call(app.listener, {
    method: 'PATCH',
    path: `/v1/automations/${app.world.fixtures.workflowId}`,
    key: app.world.keys.wildcard,
    raw,
    headers,
  });
}

function bodyOf(length: number): string {
  const start = '{"folderPath":"","padding":"';
  return `${start}${'a'.repeat(length - start.length - 2)}"}`;
}

function nested(depth: number): string {
  return `{"folderPath":"","x":"[[\\"[[{","y":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
}

describe('a body', () => {
  test.each([
    ['cut short', '{"folderPath":'],
    ['of two values', '{} {}'],
    ['with a trailing comma', '{"folderPath":"a",}'],
    ['with a byte order mark', '\uFEFF{"folderPath":"a"}'],
    ['of one bracket many times', '['.repeat(LIMIT)],
    ['that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['in UTF-16', Buffer.from('{"folderPath":"a"}', 'utf16le')],
  ])('%s is malformed JSON', async (_what, raw) => {
    const { status, body } = await send(raw);
    expect(status).toBe(400);
    expect(body.issues).toMatchObject([{ field: '<root>', code: 'malformed_json' }]);
  });

  test.each([
    ['text/plain', 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 'unsupported_media_type'],
    ['application/json; charset=latin1', 'unsupported_media_type'],
    ['application/jsonp', 'unsupported_media_type'],
    ['', 'unsupported_media_type'],
  ])('declared as %j is refused', async (type, code) => {
    const { status, body } = await send('{"folderPath":""}', { 'content-type': type });
    expect([status, body.issues[0].code]).toEqual([400, code]);
    expect(body.hint).toContain('application/json');
  });

  test.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json;',
    'application/json ; charset=utf8',
    'application/json; profile="x"; v=1',
  ])('declared as %j is read', async (type) => {
    expect((await send('{"folderPath":""}', { 'content-type': type })).status).toBe(200);
  });

  test('that is compressed is refused', async () => {
    const { status, body } = await send('{"folderPath":""}', { 'content-encoding': 'gzip' });
    expect([status, body.issues[0].code]).toEqual([400, 'unsupported_media_type']);
  });

  test.each(['1e400', '{"deep":[0,-1e400]}'])(
    'with %s, beyond the range of numbers, is refused',
    async (x) => {
      const { status, body } = await send(`{"folderPath":"","x":${x}}`);
      expect(status).toBe(400);
      expect(body.issues).toMatchObject([
        { field: '<root>', message: 'must not contain a number outside the range of a double' },
      ]);
    },
  );

  test('that is missing gets a 400 that asks for JSON', async () => {
    const { status, body } = await send('');
    expect(status).toBe(400);
    expect(body.issues).toMatchObject([{ field: '<root>', message: 'a JSON body is required' }]);
  });

  test('can have exactly the maximum number of bytes', async () => {
    expect(bodyOf(LIMIT)).toHaveLength(LIMIT);
    expect((await send(bodyOf(LIMIT))).status).toBe(200);
    const above = await send(bodyOf(LIMIT + 1));
    expect(above.status).toBe(413);
    expect(above.body.issues).toMatchObject([{ field: '<root>', code: 'payload_too_large' }]);
  });

  test('can be nested 500 levels deep, not counting brackets in strings', async () => {
    expect((await send(nested(500))).status).toBe(200);
    const deeper = await send(nested(501));
    expect(deeper.status).toBe(400);
    expect(deeper.body.issues).toMatchObject([
      { field: '<root>', message: 'must be nested at most 500 levels deep' },
    ]);
  });

  test('with keys such as __proto__ changes only the workflow', async () => {
    const { status } = await send('{"__proto__":{"folderId":"x"},"constructor":1,"folderPath":""}');
    expect(status).toBe(200);
    expect({}).not.toHaveProperty('folderId');
  });
});

describe('a path or method', () => {
  test.each([
    '/',
    '/v1',
    '/v2/templates',
    '/v1/templates/',
    '/V1/templates',
    '/v1//templates',
    '/v1/templates/x',
    '/v1/files/file_1/x',
  ])('%s is unknown', async (path) => {
    const { status, body } = await call(app.listener, { path, key: app.world.keys.wildcard });
    expect(status).toBe(404);
    expect(body.issues).toMatchObject([{ field: '<root>', code: 'not_found' }]);
  });

  test('that is unknown gets 401 without a key', async () => {
    expect((await call(app.listener, { path: '/nowhere', key: null })).status).toBe(401);
  });

  test.each([
    ['POST', '/v1/templates', 'HEAD, GET'],
    ['DELETE', '/v1/dataset-review-requests', 'HEAD, GET'],
    ['GET', '/v1/runs/exec_1/cancel', 'POST'],
    ['PUT', '/v1/automations/wf_1', 'PATCH, HEAD, GET'],
    ['OPTIONS', '/api/v1/agents', 'HEAD, GET'],
  ] as const)('%s %s gets 405 with Allow: %s', async (method, path, allow) => {
    const response = await call(app.listener, { method, path, key: app.world.keys.wildcard });
    expect(response.status).toBe(405);
    expect(response.headers['allow']).toBe(allow);
    expect(response.body.issues).toMatchObject([{ field: '<root>', code: 'method_not_allowed' }]);
  });

  test.each([
    '/v1/runs/%',
    '/v1/runs/%zz',
    '/v1/runs/%ff',
    '/v1/templates?limit=%',
    '/v1/templates?x=%c3%28',
  ])('%s is malformed', async (path) => {
    const { status, body } = await call(app.listener, { path, key: app.world.keys.wildcard });
    expect(status).toBe(400);
    expect(body.issues).toMatchObject([{ field: '<root>', code: 'malformed_request' }]);
    expect(body.hint).toContain('%25');
  });

  test('HEAD has the headers of GET and no body', async () => {
    const { keys } = app.world;
    const head = await call(app.listener, {
      method: 'HEAD',
      path: '/v1/templates',
      key: keys.wildcard,
    });
    const get = await call(app.listener, { path: '/v1/templates', key: keys.wildcard });
    expect([head.status, head.body]).toEqual([200, undefined]);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect((await call(app.listener, { method: 'HEAD', path: '/x', key: null })).status).toBe(401);
  });
});

function requestWithId(): Promise<ApiResponse> {
  return call(app.listener, {
    path: '/v1/auth/check',
    key: app.world.keys.ocr,
    headers: { 'x-request-id': 'mine' },
  });
}

describe('a request id', () => {
  test('is new for each request and never the one of the caller', async () => {
    const ids = (await Promise.all([requestWithId(), requestWithId(), requestWithId()])).map(
      (one) => one.headers['x-request-id'],
    );
    expect(new Set(ids).size).toBe(3);
  });
});
