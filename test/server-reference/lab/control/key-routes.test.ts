import { virtualClock } from '@hookproof/server-reference';
import { describe, expect, test } from 'vitest';

import type { ApiKeyRecord } from '../../../../server-reference/src/store/tenants.ts';
import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { START, openControlled } from './control-client.ts';

describe('keys', () => {
  test('are created with a scope, for the tenant or for another one', async () => {
    const { app, ...control } = await openControlled();
    const make = (body: object): Promise<ApiKeyRecord> => control.expectOk(201, '/keys', body);
    const own = await make({ scope: ['file:read', 'run:write'] });
    const everything = await make({ wildcard: true, tenant: 'other' });
    const nothing = await make({ scope: [] });
    const whoIs = async ({ key }: ApiKeyRecord): Promise<ApiResponse['body']> =>
      (await call(app.listener, { path: '/v1/auth/check', key })).body;
    expect(await whoIs(own)).toMatchObject({
      tenantId: app.world.tenantId,
      keyId: own.id,
      scope: ['file:read', 'run:write'],
      wildcardGranted: false,
    });
    expect(await whoIs(nothing)).toMatchObject({ scope: [], wildcardGranted: false });
    const other = await call(app.listener, {
      path: '/v1/auth/check',
      key: app.world.keys.otherTenant,
    });
    expect(await whoIs(everything)).toMatchObject({
      tenantId: other.body.tenantId,
      wildcardGranted: true,
    });
  });

  test('belong to the world that the request names', async () => {
    const { app, ...control } = await openControlled();
    const world = await control.expectOk<{ id: string; tenantId: string }>(201, '/worlds', {});
    const made = await control.expectOk<ApiKeyRecord>(201, '/keys', {
      worldId: world.id,
      wildcard: true,
    });
    expect(made.tenantId).toBe(world.tenantId);
    expect(made.tenantId).not.toBe(app.world.tenantId);
  });
});

describe('a revoked key', () => {
  test('immediately gets the response of an unknown key', async () => {
    const { app, ...control } = await openControlled({ clock: virtualClock({ now: START }) });
    const made = await control.expectOk<ApiKeyRecord>(201, '/keys', { wildcard: true });
    const check = (key: string): Promise<ApiResponse> =>
      call(app.listener, { path: '/v1/auth/check', key });
    expect((await check(made.key)).status).toBe(200);
    for (const time of ['first', 'second']) {
      const revoked = await control.call(`/keys/${made.id}`, { method: 'DELETE' });
      expect(revoked.status, time).toBe(204);
    }
    const responses = [await check(made.key), await check('hpk_unknown')].map(
      ({ status, headers, body: { requestId: _id, ...rest } }) => ({
        status,
        rest,
        challenge: headers['www-authenticate'],
      }),
    );
    expect(responses[0]).toMatchObject({ status: 401, challenge: 'Bearer' });
    expect(responses[0]).toEqual(responses[1]);
  });
});
