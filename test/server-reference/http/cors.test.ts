import { expect, onTestFinished, test } from 'vitest';

import { openApp } from '../open-app.ts';
import { send } from '../send.ts';

const ORIGIN = 'http://localhost:5173';

async function opened(corsOrigins: readonly string[] = [ORIGIN]) {
  const app = await openApp({ corsOrigins });
  onTestFinished(() => app.close());
  const ask = (method: string, path: string, headers: Record<string, string>) =>
    send(app.listener, { method, path, headers } as Parameters<typeof send>[1]);
  return { ...app, ask };
}

test('pages of an origin may call the API and the control interface', async () => {
  const { ask, world, controlToken } = await opened();
  const preflight = await ask('OPTIONS', '/v1/automations/wf_1', {
    origin: ORIGIN,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization,content-type',
  });
  expect(preflight).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'PATCH',
      'access-control-allow-headers': 'authorization,content-type',
      vary: 'Origin',
    },
  });
  for (const [path, token] of [
    ['/v1/templates', world.keys.wildcard],
    ['/_control/clock', controlToken],
  ]) {
    const headers = {
      origin: ORIGIN,
      authorization: `Bearer ${token}`,
      'sec-fetch-site': 'same-site',
    };
    const response = await ask('GET', path ?? '', headers);
    expect(response.status).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(response.headers['access-control-expose-headers']).toContain('Retry-After');
  }
  const refused = await ask('GET', '/v1/templates', { origin: ORIGIN });
  expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, ORIGIN]);
});

test('pages of other origins may not, nor any by default', async () => {
  for (const [origins, origin] of [
    [[ORIGIN], 'http://localhost:5174'],
    [[], ORIGIN],
  ] as const) {
    const { ask, controlToken } = await opened(origins);
    const preflight = await ask('OPTIONS', '/v1/templates', {
      origin,
      'access-control-request-method': 'GET',
    });
    expect(preflight.status).toBe(401);
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
    const headers = { origin, authorization: `Bearer ${controlToken}`, host: 'localhost:4010' };
    expect((await ask('GET', '/_control/clock', headers)).status).toBe(403);
  }
});
