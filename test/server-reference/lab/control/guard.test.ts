import { describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { openControlled } from './control-client.ts';

describe('the control interface', () => {
  test.each([
    ['no token', null],
    ['a wrong token', 'hpc_wrong'],
    ['a token cut short', 'hpc_'],
  ])('refuses %s', async (_what, token) => {
    const control = await openControlled();
    const { issues, hint } = await control.expectError(401, '/world', { token });
    expect(issues).toEqual([
      {
        field: '<root>',
        code: 'unauthorized',
        severity: 'error',
        message: 'the control token is missing or wrong',
      },
    ]);
    expect(hint).toContain('API keys are not accepted.');
  });

  test('refuses every API key, and the API refuses the control token', async () => {
    const control = await openControlled();
    const { listener, controlToken, world } = control.app;
    for (const token of Object.values(world.keys)) {
      await control.expectError(401, '/world', { token });
    }
    const refused = await call(listener, { path: '/v1/auth/check', key: controlToken });
    expect(refused.status).toBe(401);
  });

  test('reveals nothing without a token, not even its paths', async () => {
    const control = await openControlled();
    for (const path of ['', '/', '/nothing', '/runs/x']) {
      await control.expectError(401, path, { token: null });
    }
    await control.expectError(404, '/nothing');
    await control.expectError(404, '/world/');
    const wrongMethod = await control.call('/world', { method: 'DELETE' });
    expect(wrongMethod).toMatchObject({ status: 405, headers: { allow: 'HEAD, GET' } });
  });

  test('refuses pages of another origin, and accepts its own', async () => {
    const control = await openControlled();
    const host = 'localhost:4010';
    const own = `http://${host}`;
    for (const origin of ['http://evil.example', 'null', `${own}0`, 'http://localhost']) {
      const { issues } = await control.expectError(403, '/world', { headers: { host, origin } });
      expect(issues[0]?.message).toBe('the Origin header must be the origin of this server');
    }
    for (const origin of [own, `https://${host}`]) {
      expect((await control.call('/world', { headers: { host, origin } })).status).toBe(200);
    }
  });

  test.each([
    ['same-origin', 200],
    ['none', 200],
    ['same-site', 403],
    ['cross-site', 403],
  ])('behind a proxy that ends TLS and changes the Host, %s gets %i', async (site, status) => {
    const control = await openControlled();
    const headers = {
      host: 'localhost:4010',
      origin: 'https://port-4010.example',
      'sec-fetch-site': site,
    };
    expect((await control.call('/world', { headers })).status).toBe(status);
  });
});
