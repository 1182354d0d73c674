import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createServer({ store: { kind: 'memory' } });
});
afterAll(() => server.close());

function experiment(id: string): Promise<ApiResponse> {
  return call(server.baseUrl, { path: `/v1/experiments/${id}`, key: server.world.keys.workflow });
}

describe('GET /v1/experiments/{experimentId}', () => {
  test('responds with the automation and nothing else', async () => {
    const { experimentId, experimentAutomationId } = server.world.fixtures;
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
