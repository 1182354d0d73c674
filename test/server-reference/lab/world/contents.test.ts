import { createServer } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../../empty-folder.ts';
import { call } from '../../contract-client.ts';
import { startControlled } from '../control/control-client.ts';

interface Listed {
  readonly data: { title: string; status: string; createdAt: string }[];
}

interface Created {
  readonly id: string;
  readonly keys: { readonly wildcard: string };
  readonly fixtures: Readonly<Record<string, string>>;
}

async function started(world: Parameters<typeof createServer>[0]['world']) {
  const server = await createServer({ store: { kind: 'memory' }, world: world ?? 'empty' });
  onTestFinished(() => server.close());
  const get = (path: string) => call(server.baseUrl, { path, key: server.world.keys.wildcard });
  return { server, get };
}

describe('createServer({ world })', () => {
  test('a number makes as many entries with defaults: pages of 250 review requests', async () => {
    const { get } = await started({ reviewRequests: 250 });
    const titles: string[] = [];
    for (const offset of [0, 100, 200]) {
      const { body } = await get(`/v1/dataset-review-requests?limit=100&offset=${offset}`);
      titles.push(...body.data.map(({ title }: Listed['data'][0]) => title));
    }
    expect(titles).toEqual(
      Array.from({ length: 250 }, (_, index) => `Review request ${index + 1}`),
    );
    expect((await get('/v1/automations')).body.data).toMatchObject([{ slug: 'workflow-1' }]);
  });

  test('entries have the given members, in the given order, and defaults for the others', async () => {
    const { server, get } = await started({
      folders: ['Finance/Statements'],
      workflows: [{ slug: 'invoices', folderPath: 'Finance' }, { slug: 'letters' }],
      agents: [{ slug: 'quotes', name: 'Quotes' }],
      templates: [{ name: 'Offer', format: 'xlsx' }],
      examples: [{ automation: 'quotes', name: 'first', inputJson: { page: 3 } }],
      reviewRequests: [
        {
          automation: 'quotes',
          title: 'Late ones',
          status: 'closed',
          items: [{ exampleName: 'first', status: 'approved' }],
          createdAt: '2026-07-01T00:00:00Z',
        },
      ],
      experiments: 2,
      runs: [{ status: 'waiting' }, {}],
    });
    const { workflowId, agentId, runId, experimentId } = server.world.fixtures;
    expect((await get(`/v1/automations/${workflowId}`)).body).toMatchObject({
      slug: 'invoices',
      folderPath: 'Finance',
    });
    expect((await get('/v1/agents')).body.data).toMatchObject([{ id: agentId, name: 'Quotes' }]);
    expect((await get('/v1/templates')).body.items).toMatchObject([
      { name: 'Offer', filename: 'offer.xlsx' },
    ]);
    expect((await get('/v1/dataset-review-requests')).body.data).toMatchObject([
      {
        title: 'Late ones',
        status: 'closed',
        createdAt: '2026-07-01T00:00:00Z',
      },
    ]);
    expect((await get('/v1/runs')).body.runs).toMatchObject([
      { status: 'waiting' },
      { id: runId, status: 'completed' },
    ]);
    const experiments = `/v1/automations/${workflowId}/experiments/${experimentId}`;
    expect((await get(experiments)).status).toBe(200);
    const example = `/v1/automations/${agentId}/examples/${server.world.fixtures.exampleId}`;
    expect((await get(example)).body).toMatchObject({ name: 'first', input: { page: 3 } });
  });

  test('empty is a tenant with keys and nothing else', async () => {
    const { server, get } = await started('empty');
    expect(server.world.fixtures).toEqual({});
    for (const [path, list] of [
      ['/v1/automations', 'data'],
      ['/v1/agents', 'data'],
      ['/v1/templates', 'items'],
      ['/v1/dataset-review-requests', 'data'],
      ['/v1/runs', 'runs'],
    ] as const) {
      expect((await get(path)).body[list], path).toEqual([]);
    }
  });

  test.each([
    [{ reviewRequest: 3 }, 'world.reviewRequest is not a known field.'],
    [{ reviewRequests: '3' }, 'world.reviewRequests must be integer or array, got "3".'],
    [{ reviewRequests: -1 }, 'world.reviewRequests must be an integer from 0 to 10000, got -1.'],
    [
      { reviewRequests: [{}, { status: 'opened' }] },
      'world.reviewRequests[1].status must be one of draft, open, paused, closed, got "opened".',
    ],
    [
      { workflows: [{ slug: 'a' }], runs: [{ automation: 'b' }] },
      'world.runs[0].automation must be the slug of an automation of this world (a), got b.',
    ],
    [
      { agents: [{ slug: 'a' }, { slug: 'a' }] },
      'world.agents[1].slug must be unique in the world',
    ],
    [
      { reviewRequests: [{ items: [{ exampleName: 'x' }] }] },
      'world.reviewRequests[0].items[0].exampleName must be the name of an example',
    ],
    ['full', 'world must be empty or object, got "full".'],
  ])('%j is refused, and the error names what is wrong', async (world, message) => {
    const options = { store: { kind: 'memory' }, world } as never;
    await expect(createServer(options)).rejects.toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
    );
  });

  test('a folder keeps its world', async () => {
    const store = { kind: 'folder', path: emptyFolder() } as const;
    const first = await createServer({ store, world: { agents: 1 } });
    await first.close();
    const second = await createServer({ store, world: 'empty' });
    onTestFinished(() => second.close());
    expect(second.world).toEqual(first.world);
  });
});

test('POST /worlds makes a world with contents, which no other world sees', async () => {
  const control = await startControlled();
  const world = await control.expectOk<Created>(201, '/worlds', { world: { templates: 2 } });
  const { baseUrl } = control.server;
  const templates = await call(baseUrl, { path: '/v1/templates', key: world.keys.wildcard });
  expect(templates.body.items).toMatchObject([{ name: 'Template 1' }, { name: 'Template 2' }]);
  const empty = await control.expectOk<Created>(201, '/worlds', { world: 'empty' });
  const none = await call(baseUrl, { path: '/v1/templates', key: empty.keys.wildcard });
  expect(none.body.items).toEqual([]);
  const run = await control.call('/runs', { json: { worldId: empty.id } });
  expect(run).toMatchObject({ status: 404, body: { issues: [{ field: 'automationId' }] } });
});

test('contents that are refused leave nothing behind', async () => {
  const control = await startControlled();
  const before = await control.expectOk(200, '/worlds');
  const { issues } = await control.expectError(400, '/worlds', {
    json: { world: { agents: 3, runs: [{ automation: 'agent-9' }] } },
  });
  expect(issues).toMatchObject([{ field: 'world.runs[0].automation' }]);
  expect(await control.expectOk(200, '/worlds')).toEqual(before);
});
