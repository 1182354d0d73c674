import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createServer({ store: { kind: 'memory' } });
});
afterAll(() => server.close());

interface Question {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly json?: unknown;
}

/** By operation: the call with an id, and the fixture of the other tenant. */
const CALLS: Record<string, readonly [(id: string) => Question, string]> = {
  usage: [(id) => ({ method: 'GET', path: `/v1/runs/${id}/usage` }), 'runId'],
  'expected files': [(id) => ({ method: 'GET', path: `/v1/runs/${id}/reviews/expected` }), 'runId'],
  'clearing a review': [
    (id) => ({ method: 'DELETE', path: `/v1/runs/${id}/reviews` }),
    'reviewedRunId',
  ],
  'copying an output': [
    (id) => ({
      method: 'POST',
      path: `/v1/runs/${id}/feedback/expected`,
      json: { outputFileName: server.world.fixtures.outputFileName },
    }),
    'runId',
  ],
  'copying an output by the other address': [
    (id) => ({
      method: 'POST',
      path: `/api/v1/runs/${id}/feedback/expected`,
      json: { outputFileName: server.world.fixtures.outputFileName },
    }),
    'runId',
  ],
  cancelling: [(id) => ({ method: 'POST', path: `/v1/runs/${id}/cancel` }), 'runId'],
  starting: [(id) => ({ method: 'POST', path: '/v1/runs', json: { target: id } }), 'workflowId'],
  'runs of an automation': [
    (id) => ({ method: 'GET', path: `/v1/runs?automationId=${id}` }),
    'workflowId',
  ],
  'an automation': [(id) => ({ method: 'GET', path: `/v1/automations/${id}` }), 'agentId'],
  'automations of a folder': [
    (id) => ({ method: 'GET', path: `/v1/automations?folderId=${id}` }),
    'folderId',
  ],
  'an experiment': [(id) => ({ method: 'GET', path: `/v1/experiments/${id}` }), 'experimentId'],
};

function appearance({ status, headers, body }: ApiResponse): unknown {
  const { requestId: _requestId, ...envelope } = body;
  const { date: _date, 'x-request-id': _id, ...fixed } = headers;
  return { status, headers: fixed, envelope };
}

test.each(Object.keys(CALLS))(
  '%s: a resource of another tenant gets the response of an unknown id',
  async (what) => {
    const [ask, fixture] = CALLS[what] ?? expect.unreachable();
    const foreignId = new Map(Object.entries(server.world.fixtures)).get(fixture) ?? '';
    const [foreign, unknown] = [
      ask(foreignId),
      ask(foreignId.replace(/_.*/, '_0000000000000000cafe')),
    ].map(({ method, path, json }) =>
      call(server.baseUrl, {
        method,
        path,
        key: server.world.keys.otherTenant,
        ...(json === undefined ? {} : { json }),
      }),
    );
    const seen = appearance((await foreign) ?? expect.unreachable());
    expect(seen).toMatchObject({ status: 404 });
    expect(seen).toEqual(appearance((await unknown) ?? expect.unreachable()));
  },
);

test('resources of another tenant are unchanged', async () => {
  const { keys, fixtures } = server.world;
  const { body } = await call(server.baseUrl, {
    path: `/v1/runs/${fixtures.reviewedRunId}/reviews/expected`,
    key: keys.wildcard,
  });
  expect(body.data).not.toEqual([]);
});
