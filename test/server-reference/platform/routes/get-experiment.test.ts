import { afterAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';

const app = await openApp();
afterAll(() => app.close());

function experiment(id: string): Promise<ApiResponse> {
  return call(app.listener, { path: `/v1/experiments/${id}`, key: app.world.keys.workflow });
}

describe('GET /v1/experiments/{experimentId}', () => {
  test('responds with the automation and nothing else', async () => {
    const { experimentId, experimentAutomationId } = app.world.fixtures;
    const { status, body } = await experiment(experimentId);
    expect([status, body]).toEqual([
      200,
      { id: experimentId, automationId: experimentAutomationId },
    ]);
  });

  test.each(['exp_unknown', '__proto__', '%00'])('responds 404 to %s', async (id) => {
    const { status, body } = await experiment(id);
    expect(status).toBe(404);
    expect(body.issues).toMatchObject([{ field: 'experimentId', code: 'not_found' }]);
  });
});
