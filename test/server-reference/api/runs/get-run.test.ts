import { afterAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';

const app = await openApp();
afterAll(() => app.close());

describe('GET /v1/runs/{id} and /api/v1/runs/{id}', () => {
  test('respond with the same run and its output', async () => {
    const { keys, fixtures } = app.world;
    const [one, other] = await Promise.all([
      call(app.listener, { path: `/v1/runs/${fixtures.runId}`, key: keys.workflow }),
      call(app.listener, { path: `/api/v1/runs/${fixtures.runId}`, key: keys.wildcard }),
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

  test.each(['exec_unknown', '__proto__', 'constructor', 'a%2Fb', '%00'])(
    'responds 404 to %s',
    async (id) => {
      const response = await call(app.listener, {
        path: `/v1/runs/${id}`,
        key: app.world.keys.wildcard,
      });
      expect(response.status).toBe(404);
      expect(response.body.issues).toMatchObject([{ field: 'id', code: 'not_found' }]);
    },
  );
});
