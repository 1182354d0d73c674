import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createServer({ store: { kind: 'memory' } });
});
afterAll(() => server.close());

describe('GET /v1/runs/{id} and /api/v1/runs/{id}', () => {
  test('respond with the same run and its output', async () => {
    const { keys, fixtures } = server.world;
    const [one, other] = await Promise.all([
      call(server.baseUrl, { path: `/v1/runs/${fixtures.runId}`, key: keys.workflow }),
      call(server.appUrl, { path: `/api/v1/runs/${fixtures.runId}`, key: keys.wildcard }),
    ]);
    expect(one.status).toBe(200);
    expect(one.body).toMatchObject({
      id: fixtures.runId,
      automationId: fixtures.workflowId,
      type: 'workflow',
      status: 'completed',
      output: { rows: [{ carrier: 'Northway' }] },
    });
    expect(other.body).toEqual(one.body);
    for (const hidden of [
      'tenantId',
      'worldId',
      'origin',
      'history',
      'input',
      'usage',
      'scheduledTransitions',
    ]) {
      expect(one.body).not.toHaveProperty(hidden);
    }
  });

  test.each(['run_unknown', '__proto__', 'constructor', 'a%2Fb', '%00'])(
    'responds 404 to %s',
    async (id) => {
      const response = await call(server.baseUrl, {
        path: `/v1/runs/${id}`,
        key: server.world.keys.wildcard,
      });
      expect(response.status).toBe(404);
      expect(response.body.issues).toMatchObject([{ field: 'id', code: 'not_found' }]);
    },
  );
});
