import { afterAll, describe, expect, test } from 'vitest';

import { call } from '../contract-client.ts';
import type { ApiResponse } from '../contract-client.ts';
import { openApp } from '../open-app.ts';

const app = await openApp();
afterAll(() => app.close());

function api(method: 'GET' | 'POST' | 'PATCH', path: string, json?: unknown): Promise<ApiResponse> {
  return call(app.listener, { method, path, key: app.world.keys.wildcard, json });
}

describe('a known mistake gets a hint', () => {
  test.each(['invoice-matcher', 'agents.invoice-matcher'])(
    '%s instead of the alias',
    async (id) => {
      const { status, body } = await api('GET', `/v1/automations/${id}`);
      expect(status).toBe(404);
      expect(body.hint).toBe('The alias of Invoice matcher is workflows.invoice-matcher.');
    },
  );

  test('except for a slug that does not exist', async () => {
    const { body } = await api('GET', '/v1/automations/workflows.unknown');
    expect(body).not.toHaveProperty('hint');
  });

  test('for an agent that is to be moved', async () => {
    const { body } = await api('PATCH', '/v1/automations/agents.freight-quote', { folderId: null });
    expect(body.hint).toContain('GET /v1/automations?type=workflow');
  });

  test('for a copy where another file would have to be a folder', async () => {
    const { runId, outputFileName } = app.world.fixtures;
    const path = `/v1/runs/${runId}/feedback/expected`;
    await api('POST', path, { outputFileName, expectedName: 'rows' });
    const { status, body } = await api('POST', path, { outputFileName, expectedName: 'rows/a' });
    expect(status).toBe(409);
    expect(body.hint).toBe('Choose another name, or rename the other file first.');
  });
});

describe('a path that no operation has', () => {
  test.each([
    ['GET', '/v1/automation', 'GET /v1/automations'],
    ['GET', '/v1/TEMPLATES', 'GET /v1/templates'],
    ['GET', '/automations', 'GET /v1/automations'],
    ['GET', '/v1/run/exec_1', 'GET /v1/runs/{id}'],
    ['PATCH', '/v1/automatons/wf_1', 'PATCH /v1/automations/{id}'],
    ['GET', '/v1/runs/exec_1/usages', 'GET /v1/runs/{id}/usage'],
    ['GET', '/api/v1/template', 'GET /api/v1/templates'],
  ] as const)('%s %s gets the nearest operation as a hint', async (method, path, nearest) => {
    const { status, body } = await api(method, path);
    expect(status).toBe(404);
    expect(body.hint).toBe(`Did you mean ${nearest}?`);
  });

  test.each(['/v1/unrelated', '/v1', `/v1/automation${'s'.repeat(500)}`])(
    '%s gets no hint, because no operation or several are near',
    async (path) => {
      const { status, body } = await api('GET', path);
      expect(status).toBe(404);
      expect(body).not.toHaveProperty('hint');
    },
  );
});
