import type { Automation } from '@hookproof/spec';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';

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

  test.each([
    [3, 0],
    [3, 4],
    [100, 2],
    [1, Number.MAX_SAFE_INTEGER],
  ])('limit %i at offset %i is that slice of the whole', async (limit, offset) => {
    const page = await automations(`limit=${limit}&offset=${offset}`);
    const slice = all.slice(offset, offset + limit).map(({ id }) => id);
    expect([ids(page), page.body.total]).toEqual([slice, all.length]);
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

  test.each(['limit=101', 'offset=-1', 'type=', 'type=Workflow', 'type=workflow,agent'])(
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
});

const { fixtures, keys } = app.world;

function get(path: string, key: string = keys.workflow): Promise<ApiResponse> {
  return call(app.listener, { path: `/v1/automations${path}`, key });
}

describe('GET /v1/automations?search', () => {
  test.each([
    ['part of a slug', 'delivery-note', ['delivery-note-reader']],
    ['part of a name in another case', 'CUSTOMS DECL', ['customs-declaration']],
    ['part of a description', 'transport claim', ['claims-assistant']],
    [
      'a word of two automations',
      'statement importer',
      ['card-statement-import', 'bank-statement-import'],
    ],
    ['a text that nothing has', 'no such text', []],
  ])('finds %s and counts what matches', async (_what, search, slugs) => {
    const { body } = await get(`?search=${encodeURIComponent(search)}`);
    expect(body.data.map(({ slug }: { slug: string }) => slug)).toEqual(slugs);
    expect(body).toMatchObject({ total: slugs.length, limit: 50, offset: 0 });
  });

  test('joins search with type and pages what matches', async () => {
    const { body } = await get('?search=statement&type=workflow&limit=1&offset=1');
    expect([body.data.length, body.total, body.limit, body.offset]).toEqual([1, 2, 1, 1]);
    expect((await get('?search=statement&type=agent')).body.total).toBe(0);
  });

  test('an empty search lists all', async () => {
    expect((await get('?search=')).body.total).toBe((await get('')).body.total);
  });
});

describe('GET …/versions', () => {
  test('lists the versions of a workflow, newest first, one of them current', async () => {
    const { body } = await get('/workflows.delivery-note-reader/versions');
    expect(body).toMatchObject({ total: 3, limit: 50, offset: 0 });
    const { id } = (await get('/workflows.delivery-note-reader')).body;
    expect(body.data).toEqual(
      ['31', '30', '29'].map((version, index) => ({
        id: expect.stringMatching(/^ver_/),
        automationId: id,
        version,
        sourceRef: null,
        isCurrent: index === 0,
        createdAt: expect.any(String),
      })),
    );
    const times = body.data.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('names the source of the versions of an agent', async () => {
    const { data } = (await get('/agents.freight-quote/versions')).body;
    expect(data.map((one: Record<string, unknown>) => [one['version'], one['sourceRef']])).toEqual([
      ['5.2.0', 'main'],
      ['5.1.0', 'v5.1.0'],
      ['5.0.0', 'v5.0.0'],
    ]);
  });

  test('pages the versions', async () => {
    const { body } = await get('/workflows.delivery-note-reader/versions?limit=1&offset=1');
    expect(body.data[0]).toMatchObject({ version: '30', isCurrent: false });
    expect(body).toMatchObject({ total: 3, limit: 1, offset: 1 });
  });

  test('every automation has exactly one current version, which is its own', async () => {
    const { data } = (await get('?limit=100')).body;
    for (const { id, version } of data) {
      const versions = (await get(`/${id}/versions`)).body.data;
      const current = versions.filter((one: { isCurrent: boolean }) => one.isCurrent);
      expect(current).toMatchObject([{ version, automationId: id }]);
    }
  });
});

test('GET …/triggers gives four booleans', async () => {
  const workflow = await get(`/${fixtures.workflowId}/triggers`);
  expect(workflow.body).toEqual({
    automationId: fixtures.workflowId,
    type: 'workflow',
    triggers: { api: true, email: true, manual: false, cron: false },
  });
  expect((await get('/agents.freight-quote/triggers')).body).toMatchObject({
    type: 'agent',
    triggers: { api: true, email: true, manual: true, cron: false },
  });
});

test.each(['versions', 'examples', 'experiments'])(
  'GET …/%s has 50 and 0 for an empty limit and offset',
  async (what) => {
    const { status, body } = await get(`/agents.freight-quote/${what}?limit=&offset=`);
    expect([status, body.limit, body.offset]).toEqual([200, 50, 0]);
  },
);

test('the number of examples of an agent follows its dataset', async () => {
  const count = async (): Promise<number> => {
    const path = '/api/v1/agents?slug=freight-quote';
    const { body } = await call(app.listener, { path, key: keys.wildcard });
    return body.data[0].stats.exampleCount;
  };
  const examples = '/v1/automations/agents.freight-quote/examples';
  const before = await count();
  const request = { path: examples, key: keys.wildcard };
  const { body } = await call(app.listener, { ...request, method: 'POST', json: {} });
  expect(await count()).toBe(before + 1);
  const path = `${examples}/${body.id}`;
  await call(app.listener, { ...request, path, method: 'DELETE' });
  expect(await count()).toBe(before);
});
