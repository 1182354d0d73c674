import type { Automation } from '@hookproof/spec';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';
import { BAD_PAGING, assertPagination } from './pagination-laws.ts';

const app = await openApp();
afterAll(() => app.close());
let all: Automation[];
beforeAll(async () => {
  all = (await automations('limit=100')).body.data;
});

function automations(query: string, key: string = app.world.keys.workflow): Promise<ApiResponse> {
  return call(app.listener, { path: `/v1/automations?${query}`, key });
}

function ids({ body }: ApiResponse): string[] {
  return body.data.map((one: Automation) => one.id);
}

function read(id: string, key: string = app.world.keys.workflow): Promise<ApiResponse> {
  return call(app.listener, { path: `/v1/automations/${id}`, key });
}

describe('GET /v1/automations', () => {
  test('lists workflows and agents, the newest first, with their folders', async () => {
    const times = all.map(({ createdAt }) => String(createdAt));
    expect(times).toEqual(times.toSorted().toReversed());
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set(['workflow', 'agent']));
    const filed = all.find(({ id }) => id === app.world.fixtures.datasetAutomationId);
    expect(filed).toMatchObject({ folderPath: 'Inbound/Delivery notes' });
    for (const one of all) expect(one).not.toHaveProperty('tenantId');
  });

  test('an agent that the list of agents leaves out is archived, all others are active', async () => {
    const path = '/api/v1/agents?limit=100';
    const { body } = await call(app.listener, { path, key: app.world.keys.workflow });
    const shown = new Set(body.data.map(({ id }: { id: string }) => id));
    const statusOf = ({ id, type }: Automation): string =>
      type === 'workflow' || shown.has(id) ? 'active' : 'archived';
    expect(all.map(({ status }) => status)).toEqual(all.map(statusOf));
    expect(all.map(({ status }) => status)).toContain('archived');
  });

  test('pages are disjoint and complete', async () => {
    await assertPagination(async (query) => {
      const response = await automations(query);
      return { ids: ids(response), total: response.body.total };
    }, all.length);
  });

  test.each(['workflow', 'agent'] as const)('type=%s lists and counts only those', async (type) => {
    const response = await automations(`type=${type}&limit=100`);
    const kept = all.filter((one) => one.type === type).map(({ id }) => id);
    expect([ids(response), response.body.total]).toEqual([kept, kept.length]);
  });

  test('folderId lists only automations directly in the folder', async () => {
    const inFolder = all.find(({ folderId }) => folderId !== null);
    const kept = all.filter(({ folderId }) => folderId === inFolder?.folderId);
    const response = await automations(`folderId=${inFolder?.folderId}&type=workflow`);
    expect(ids(response)).toEqual(kept.map(({ id }) => id));
    expect(ids(await automations(`folderId=${inFolder?.folderId}&type=agent`))).toEqual([]);
  });

  test.each(['folder_unknown', '', '__proto__'])(
    'responds 404 to the folder %j',
    async (folder) => {
      const { status, body } = await automations(`folderId=${folder}`);
      expect(status).toBe(404);
      expect(body.issues).toMatchObject([{ field: 'folderId', code: 'not_found' }]);
    },
  );

  test.each([...BAD_PAGING, 'type=', 'type=Workflow', 'type=workflow,agent'])(
    'responds 400 to %s',
    async (query) => {
      const { status, body } = await automations(query);
      expect([status, body.issues[0].field]).toEqual([400, query.split('=')[0]]);
    },
  );

  test('shows no automation of another tenant', async () => {
    const theirs = ids(await automations('limit=100', app.world.keys.otherTenant));
    expect(theirs).toContain(app.world.fixtures.otherTenantAutomationId);
    expect(theirs.filter((id) => all.some((one) => one.id === id))).toEqual([]);
  });
});

describe('GET /v1/automations/{id}', () => {
  test('reads by id and by alias what the list shows', async () => {
    for (const one of all) {
      const [byId, byAlias] = [await read(one.id), await read(`${one.type}s.${one.slug}`)];
      expect([byId.status, byId.body, byAlias.body]).toEqual([200, one, one]);
    }
  });

  test.each([
    'wf_unknown',
    'workflows.freight-quote',
    'agents.',
    '__proto__',
    'workflows.__proto__',
  ])('responds 404 to %s', async (id) => {
    const { status, body } = await read(id);
    expect(status).toBe(404);
    expect(body.issues).toMatchObject([{ field: 'id', code: 'not_found' }]);
  });
});
