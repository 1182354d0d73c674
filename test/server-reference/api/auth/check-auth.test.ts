import { afterAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';

const app = await openApp();
afterAll(() => app.close());

describe('GET /v1/auth/check', () => {
  test('names the tenant and user of a wildcard key', async () => {
    const { status, body } = await call(app.listener, {
      path: '/v1/auth/check',
      key: app.world.keys.wildcard,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: true,
      tenantId: app.world.tenantId,
      tenantName: 'Brookside Freight',
      name: 'Ines Aalto',
      wildcardGranted: true,
    });
  });

  test.each([
    ['no header', {}, 'the request has no API key'],
    ['an unknown key', { authorization: 'Bearer hpk_unknown' }, 'the API key is not valid'],
    [
      'the name of an inherited property',
      { authorization: 'Bearer constructor' },
      'the API key is not valid',
    ],
    [
      'another scheme',
      { authorization: 'Basic aHA6aHA=' },
      'the Authorization header must have the form Bearer <API_KEY>',
    ],
    [
      'an empty token',
      { authorization: 'Bearer ' },
      'the Authorization header must have the form Bearer <API_KEY>',
    ],
    [
      'two blanks',
      { authorization: 'Bearer  x' },
      'the Authorization header must have the form Bearer <API_KEY>',
    ],
  ])('responds 401 to %s', async (_what, headers, message) => {
    const response = await call(app.listener, { path: '/v1/auth/check', key: null, headers });
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(response.body.issues).toEqual([
      { field: '<root>', message, code: 'unauthorized', severity: 'error' },
    ]);
    expect(response.body.hint).toContain('Authorization: Bearer');
  });

  test('accepts the scheme in any case', async () => {
    const response = await call(app.listener, {
      path: '/v1/auth/check',
      key: null,
      headers: { authorization: `bearer ${app.world.keys.wildcard}` },
    });
    expect(response.status).toBe(200);
  });
});
