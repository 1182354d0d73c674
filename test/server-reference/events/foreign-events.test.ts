import { expect, test } from 'vitest';

import { call } from '../contract-client.ts';
import { startControlled } from '../lab/control/control-client.ts';

test('an endpoint gets no events of runs of another tenant', async () => {
  const { server, ...control } = await startControlled();
  const { keys, fixtures } = server.world;
  await control.endpoint('http://127.0.0.1:9/');
  const start = async (key: string): Promise<string> => {
    const json = { target: 'workflows.invoice-matcher' };
    const { body } = await call(server.baseUrl, { method: 'POST', path: '/v1/runs', key, json });
    return body.id;
  };
  const own = await start(keys.wildcard);
  const foreign = await start(keys.otherTenant);
  const created = await control.run({ automationId: fixtures.otherTenantAutomationId });
  await control.move(created.id, 'running');

  expect(await control.deliveries(`?runId=${own}`)).toHaveLength(1);
  expect(await control.deliveries(`?runId=${foreign}`)).toEqual([]);
  expect(await control.deliveries(`?runId=${created.id}`)).toEqual([]);
});
