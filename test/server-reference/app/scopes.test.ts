import { readFileSync } from 'node:fs';

import { createServer } from '@hookproof/server-reference';
import type { ReferenceServer } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { REQUIREMENTS } from '../../../server-reference/src/app/scopes.ts';
import { call } from '../contract-client.ts';

const readme = readFileSync(
  new URL('../../../server-reference/README.md', import.meta.url),
  'utf8',
);

let server: ReferenceServer;
beforeAll(async () => {
  server = await createServer({ store: { kind: 'memory' } });
});
afterAll(() => server.close());

const READS: Record<string, () => string> = {
  checkAuth: () => '/v1/auth/check',
  listDatasetReviewRequests: () => '/v1/dataset-review-requests',
  listTemplates: () => '/v1/templates',
  listAgents: () => '/api/v1/agents',
  getRun: () => `/v1/runs/${server.world.fixtures.runId}`,
  getRunApp: () => `/api/v1/runs/${server.world.fixtures.runId}`,
};
const WRITES: Record<string, () => string> = {
  updateDatasetReviewRequest: () =>
    `/v1/automations/${server.world.fixtures.reviewAutomationId}/dataset-review-requests/${server.world.fixtures.openReviewId}`,
  moveAutomation: () => `/v1/automations/${server.world.fixtures.workflowId}`,
};
/** Which of the keys may use an operation; written here once more, by hand. */
const ALLOWED: Record<string, readonly string[]> = {
  checkAuth: ['wildcard', 'reviewer', 'ocr', 'workflow'],
  listDatasetReviewRequests: ['wildcard', 'reviewer'],
  updateDatasetReviewRequest: ['wildcard'],
  moveAutomation: ['wildcard'],
  listTemplates: ['wildcard', 'workflow'],
  listAgents: ['wildcard', 'workflow'],
  getRun: ['wildcard', 'workflow'],
  getRunApp: ['wildcard', 'workflow'],
};

describe('scopes', () => {
  test('are decided for every operation that the server has', () => {
    expect(Object.keys(REQUIREMENTS).toSorted(byText)).toEqual(
      Object.keys({ ...READS, ...WRITES }).toSorted(byText),
    );
  });

  test.each(Object.keys(ALLOWED))(
    '%s lets the right keys in and answers 403 to the rest',
    async (id) => {
      const path = (READS[id] ?? WRITES[id])?.() ?? '';
      for (const name of ['wildcard', 'reviewer', 'ocr', 'workflow'] as const) {
        const answer = await call(server.baseUrl, {
          method: id in WRITES ? 'PATCH' : 'GET',
          path,
          key: server.world.keys[name],
          ...(id in WRITES ? { json: { folderPath: '', title: 'x' } } : {}),
        });
        expect(answer.status, `${name} key`).toBe(ALLOWED[id]?.includes(name) ? 200 : 403);
        if (answer.status === 403) {
          expect(answer.body.issues).toMatchObject([{ field: '<root>', code: 'forbidden' }]);
        }
      }
    },
  );

  test('come before validation and before the resource', async () => {
    const answer = await call(server.baseUrl, {
      method: 'PATCH',
      path: '/v1/automations/wf_unknown',
      key: server.world.keys.ocr,
      raw: '{',
    });
    expect(answer.status).toBe(403);
  });

  test('stand in the README as they are in the code', () => {
    const rows = [...readme.matchAll(/^\| `(\w+)` +\| `[A-Z]+ [^|]+ \| ([^|]+?) +\|$/gm)].map(
      ([, id, requirement]) => [id, requirement?.replaceAll('`', '')],
    );
    expect(Object.fromEntries(rows)).toEqual(REQUIREMENTS);
  });
});

function byText(one: string, other: string): number {
  return one < other ? -1 : 1;
}
