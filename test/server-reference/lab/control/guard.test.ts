import { request as httpRequest } from 'node:http';

import { createServer } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import { controlClient, startControlled } from './control-client.ts';

describe('the control interface', () => {
  test.each([
    ['no token', null],
    ['a wrong token', 'hpc_wrong'],
    ['a token cut short', 'hpc_'],
  ])('refuses %s', async (_what, token) => {
    const control = await startControlled();
    const { issues, hint } = await control.expectError(401, '/world', { token });
    expect(issues).toEqual([
      {
        field: '<root>',
        code: 'unauthorized',
        severity: 'error',
        message: 'the control token is missing or wrong',
      },
    ]);
    expect(hint).toContain('an API key does not open this interface');
  });

  test('refuses every API key, and the API refuses the control token', async () => {
    const control = await startControlled();
    const { baseUrl, controlToken, world } = control.server;
    for (const token of Object.values(world.keys)) {
      await control.expectError(401, '/world', { token });
    }
    const api = controlClient({ controlUrl: baseUrl, controlToken });
    await api.expectError(401, '/v1/auth/check');
  });

  test('reveals nothing without a token, not even its paths', async () => {
    const control = await startControlled();
    for (const path of ['', '/', '/nothing', '/runs/x']) {
      await control.expectError(401, path, { token: null });
    }
    await control.expectError(404, '/nothing');
    await control.expectError(404, '/world/');
    const wrongMethod = await control.call('/world', { method: 'DELETE' });
    expect(wrongMethod).toMatchObject({ status: 405, headers: { allow: 'HEAD, GET' } });
  });

  test('refuses pages of another origin, and accepts its own', async () => {
    const control = await startControlled();
    const { origin } = new URL(control.server.baseUrl);
    for (const foreign of ['http://evil.example', 'null', `${origin}0`, 'https://localhost']) {
      const { issues } = await control.expectError(403, '/world', { headers: { origin: foreign } });
      expect(issues[0]?.message).toBe('requests from the pages of another origin are refused');
    }
    expect((await control.call('/world', { headers: { origin } })).status).toBe(200);
  });

  test('on loopback accepts only loopback host names', async () => {
    const { server } = await startControlled();
    const { port } = new URL(server.baseUrl);
    const tries: [host: string, status: number][] = [
      [`127.0.0.1:${port}`, 200],
      [`localhost:${port}`, 200],
      [`[::1]:${port}`, 200],
      [`evil.example:${port}`, 403],
      [`127.0.0.1.evil.example:${port}`, 403],
      ['localhost.evil', 403],
    ];
    for (const [host, status] of tries) {
      expect([host, await statusWithHost(server, host)]).toEqual([host, status]);
    }
  });

  test('bound to all addresses, accepts any host name', async () => {
    const server = await createServer({ store: { kind: 'memory' }, host: '0.0.0.0' });
    onTestFinished(() => server.close());
    expect(await statusWithHost(server, 'build-agent.internal')).toBe(200);
  });
});

function statusWithHost(
  server: { readonly baseUrl: string; readonly controlToken: string },
  host: string,
): Promise<number | undefined> {
  const url = new URL('/_control/world', server.baseUrl);
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${server.controlToken}` };
    httpRequest({ host: '127.0.0.1', port: url.port, path: url.pathname, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });
}
