import * as fc from 'fast-check';
import { RUN_STATUSES } from '@hookproof/spec';
import type { RunSnapshot } from '@hookproof/spec';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import type { ApiResponse } from '../../contract-client.ts';
import { openApp } from '../../open-app.ts';
import { controlClient } from '../../lab/control/control-client.ts';

const app = await openApp();
afterAll(() => app.close());
let all: RunSnapshot[];
beforeAll(async () => {
  const control = controlClient(app);
  for (const status of RUN_STATUSES) await control.run({ status, output: { of: status } });
  await control.run({ automationId: app.world.fixtures.agentId, origin: 'evaluation' });
  all = (await runs('limit=100')).body.runs;
});

function runs(query: string, key: string = app.world.keys.workflow): Promise<ApiResponse> {
  return call(app.listener, { path: `/v1/runs?${query}`, key });
}

function ids({ body }: ApiResponse): string[] {
  return body.runs.map((one: RunSnapshot) => one.id);
}

describe('GET /v1/runs', () => {
  test('lists the newest first, 50 at a time, without outputs', async () => {
    const { status, body } = await runs('');
    expect([status, body.limit, body.offset, body.total]).toEqual([200, 50, 0, all.length]);
    expect(all.length).toBeGreaterThan(RUN_STATUSES.length);
    const order = all.map(({ createdAt, id }) => `${createdAt} ${id}`);
    const sorted = all.toSorted((a, b) =>
      a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt > b.createdAt ? -1 : 1,
    );
    expect(order).toEqual(sorted.map(({ createdAt, id }) => `${createdAt} ${id}`));
    for (const run of all) expect(run).not.toHaveProperty('output');
  });

  test('each page is the requested slice of the whole', async () => {
    const whole = all.map(({ id }) => id);
    const offset = fc.oneof(fc.nat({ max: whole.length + 2 }), fc.maxSafeNat());
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), offset, async (limit, from) => {
        const page = await runs(`limit=${limit}&offset=${from}`);
        expect(ids(page)).toEqual(whole.slice(from, from + limit));
        expect(page.body.total).toBe(whole.length);
      }),
      { numRuns: 20 },
    );
  });

  test('automationId lists only the runs of one automation, by id or alias, also with a status', async () => {
    const { agentId, agentSlug } = app.world.fixtures;
    const kept = all.filter((run) => run.automationId === agentId);
    for (const name of [agentId, `agents.${agentSlug}`]) {
      expect(ids(await runs(`automationId=${name}&limit=100`))).toEqual(kept.map(({ id }) => id));
    }
    const created = await runs(`automationId=${agentId}&status=created`);
    expect(ids(created)).toEqual(
      kept.filter(({ status }) => status === 'created').map(({ id }) => id),
    );
  });

  test('automationId is a list, with commas or repeated', async () => {
    const { agentId, workflowId } = app.world.fixtures;
    const kept = all.filter((run) => [agentId, workflowId].includes(run.automationId));
    for (const query of [
      `${agentId}%2Cworkflows.${workflowId}`,
      `${agentId}&automationId=${workflowId}`,
    ]) {
      expect(ids(await runs(`automationId=${query}&limit=100`))).toEqual(kept.map(({ id }) => id));
    }
  });

  test.each([
    'wf_unknown',
    'workflows.unknown',
    '',
    '__proto__',
    `${app.world.fixtures.agentId},wf_no`,
  ])('responds 404 to the automation %j', async (name) => {
    const { status, body } = await runs(`automationId=${name}`);
    expect(status).toBe(404);
    expect(body.issues).toMatchObject([{ field: 'automationId', code: 'not_found' }]);
  });

  test.each([
    'status=done',
    'status=',
    'status=Pending',
    'type=robot',
    'trigger=fax',
    'source=wf_no',
  ])('%s matches nothing', async (query) => {
    const { status, body } = await runs(query);
    expect([status, body.runs, body.total, body.nextCursor]).toEqual([200, [], 0, null]);
  });

  // All lists read these two parameters alike.
  test.each([
    ['limit', ['0', '101', '-1', 'ten', '5.0', '1e1', '0x5', '%205', '5%20', '%2B5', '05']],
    ['limit', ['5&limit=5', '%D9%A5']],
    ['offset', ['-1', '1.5', 'NaN', '9007199254740992', '9007199254740993', '0&offset=0']],
  ])('responds 400 to %s=%j', async (name, values) => {
    for (const value of values) {
      const { status, body } = await runs(`${name}=${value}`);
      expect([value, status, body.issues[0].field]).toEqual([value, 400, name]);
    }
  });

  test('shows no run of another tenant', async () => {
    const theirs = ids(await runs('limit=100', app.world.keys.otherTenant));
    expect(theirs).toContain(app.world.fixtures.otherTenantRunId);
    expect(theirs.filter((id) => all.some((run) => run.id === id))).toEqual([]);
  });
});
