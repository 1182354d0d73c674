import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import { expect, test } from 'vitest';

import { loadServerDocument } from '../../../server-reference/src/api/server-document.ts';
import { call } from '../contract-client.ts';
import { startControlled } from '../lab/control/control-client.ts';
import { requiredQuery } from '../required-query.ts';
import { listenAt } from './endpoint-listener.ts';

const document = loadServerDocument();
const readable = [...listOperations(document), ...listCompanions(document)].filter(
  ({ method }) => method === 'GET',
);

test('the ids of a test event are unknown to every operation', async () => {
  const control = await startControlled();
  const listener = await listenAt();
  const other = await listenAt();
  const { id } = await control.endpoint(listener.url);
  await control.endpoint(other.url);
  await control.expectOk(202, `/webhook-endpoints/${id}/test`, {});
  await control.idle();
  const event = JSON.parse(listener.arrivals[0]?.body.toString('utf8') ?? '');
  expect(event).toMatchObject({ type: 'run.created', test: true });
  expect(other.arrivals).toEqual([]);
  const ids = [event.id, event.data.run.id, event.data.run.automationId];

  const { baseUrl, appUrl, world } = control.server;
  const key = world.keys.wildcard;
  let calls = 0;
  for (const operation of readable) {
    const { path, address } = operation;
    for (const invented of ids) {
      const named = path.replaceAll(/\{\w+\}/g, invented);
      const filled = named + requiredQuery(operation);
      const response = await call(address === 'app' ? appUrl : baseUrl, { path: filled, key });
      if (named === path) {
        expect(response.bytes.toString('utf8'), path).not.toContain(invented);
      } else {
        expect([path, response.status]).toEqual([path, 404]);
        calls += 1;
      }
    }
  }
  expect(calls).toBeGreaterThanOrEqual(24);
  const cancel = `/v1/runs/${event.data.run.id}/cancel`;
  expect((await call(baseUrl, { method: 'POST', path: cancel, key })).status).toBe(404);
});
