import { afterAll, describe, expect, test } from 'vitest';

import { call } from '../contract-client.ts';
import type { ApiResponse } from '../contract-client.ts';
import { openApp } from '../open-app.ts';

const app = await openApp();
afterAll(() => app.close());

/** Everything that a caller sees of a response, status, header names and body, without what changes each time. */
function appearance({ status, headers, body }: ApiResponse): unknown {
  const { requestId: _requestId, ...envelope } = body;
  const { date: _date, 'x-request-id': _id, ...fixed } = headers;
  return { status, headers: fixed, envelope };
}

describe('a resource of another tenant', () => {
  test.each([
    {
      what: 'a run',
      method: 'GET' as const,
      path: (id: string) => `/v1/runs/${id}`,
      foreign: () => app.world.fixtures.runId,
      unknown: 'exec_0000000000000000cafe',
      json: undefined,
    },
    {
      what: 'an automation',
      method: 'PATCH' as const,
      path: (id: string) => `/v1/automations/${id}`,
      foreign: () => app.world.fixtures.workflowId,
      unknown: 'wf_0000000000000000cafe',
      json: { folderPath: 'Here' },
    },
    {
      what: 'an agent',
      method: 'PATCH' as const,
      path: (id: string) => `/v1/automations/${id}`,
      foreign: () => app.world.fixtures.agentId,
      unknown: 'agent_0000000000000000cafe',
      json: { folderPath: 'Here' },
    },
    {
      what: 'a folder',
      method: 'PATCH' as const,
      path: () => `/v1/automations/${app.world.fixtures.otherTenantAutomationId}`,
      foreign: () => app.world.fixtures.folderId,
      unknown: 'folder_0000000000000000cafe',
      json: null,
    },
    {
      what: 'a review request below a foreign automation',
      method: 'PATCH' as const,
      path: (id: string) =>
        `/v1/automations/${app.world.fixtures.reviewAutomationId}/dataset-review-requests/${id}`,
      foreign: () => app.world.fixtures.openReviewId,
      unknown: 'review_0000000000000000cafe',
      json: { title: 'x' },
    },
    {
      what: 'a review request below an own automation',
      method: 'PATCH' as const,
      path: (id: string) =>
        `/v1/automations/${app.world.fixtures.otherTenantAutomationId}/dataset-review-requests/${id}`,
      foreign: () => app.world.fixtures.closedReviewId,
      unknown: 'review_0000000000000000cafe',
      json: { title: 'x' },
    },
  ])('gets the response of an unknown id: $what', async (one) => {
    const ask = (id: string): Promise<ApiResponse> =>
      call(app.listener, {
        method: one.method,
        path: one.path(id),
        key: app.world.keys.otherTenant,
        ...(one.json === undefined ? {} : { json: one.json ?? { folderId: id } }),
      });
    const foreign = await ask(one.foreign());
    const unknown = await ask(one.unknown);
    expect(foreign.status).toBe(404);
    expect(appearance(foreign)).toEqual(appearance(unknown));
  });

  test('a slug of another tenant selects the own automation', async () => {
    const { body } = await call(app.listener, {
      method: 'PATCH',
      path: '/v1/automations/workflows.invoice-matcher',
      key: app.world.keys.otherTenant,
      json: { folderId: null },
    });
    expect(body.id).not.toBe(app.world.fixtures.workflowId);
  });
});
