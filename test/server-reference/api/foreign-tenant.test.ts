import { afterAll, expect, test } from 'vitest';

import type { ApiResponse } from '../contract-client.ts';
import { openApp } from '../open-app.ts';
import { OPERATIONS } from './responses/documented-pairs.ts';
import { requestOf } from './responses/requests.ts';
import { openSandbox } from './responses/sandbox.ts';
import type { RequestParts } from './responses/sandbox.ts';

const app = await openApp();
afterAll(() => app.close());
const sandbox = await openSandbox(app);
const { fixtures, world } = sandbox;
const foreignKey = { key: world.keys.otherTenant };

/** Everything that a caller sees of a response, without what changes each time. */
function appearance({ status, headers, body }: ApiResponse): unknown {
  const { requestId: _requestId, ...envelope } = body;
  const { date: _date, 'x-request-id': _id, ...fixed } = headers;
  return { status, headers: fixed, envelope };
}

const ownAutomation = { id: fixtures.otherTenantAutomationId };

/** The same request with ids that nothing has, except for that of the caller's automation. */
function withUnknownIds(parts: RequestParts): RequestParts {
  const text = JSON.stringify(parts).replaceAll(/"(\w+?)_[0-9a-f]{20}"/g, (id, prefix) =>
    id === `"${ownAutomation.id}"` ? id : `"${prefix}_0000000000000000cafe"`,
  );
  return JSON.parse(text);
}

async function expectHidden(operationId: string, parts: RequestParts): Promise<void> {
  const foreign = await sandbox.send(operationId, { ...parts, ...foreignKey });
  const unknown = await sandbox.send(operationId, { ...withUnknownIds(parts), ...foreignKey });
  expect(foreign.status).toBe(404);
  expect(appearance(foreign)).toEqual(appearance(unknown));
}

const WITH_IDS = OPERATIONS.filter(({ path }) => path.includes('{'));

test.each(WITH_IDS)(
  '$operationId responds to an id of another tenant as to an unknown one',
  async ({ operationId }) => {
    await expectHidden(operationId, await requestOf(sandbox, operationId));
  },
);

test.each<[string, string, RequestParts]>([
  ['moveAutomation', 'folderId', { path: ownAutomation, json: { folderId: fixtures.folderId } }],
  [
    'updateDatasetReviewRequest',
    'reviewId',
    { path: { ...ownAutomation, reviewId: fixtures.closedReviewId }, json: { title: 'x' } },
  ],
  ['startRun', 'target', { json: { target: fixtures.workflowId } }],
  [
    'createExperiment',
    'examples[0]',
    { path: ownAutomation, json: { examples: [fixtures.exampleId] } },
  ],
])('%s does not find a foreign %s below what the tenant has', async (id, field, parts) => {
  await expectHidden(id, parts);
  const { body } = await sandbox.send(id, { ...parts, ...foreignKey });
  expect(body.issues).toMatchObject([{ field, code: 'not_found' }]);
});

test.each([
  ['listRuns', `?automationId=${fixtures.workflowId}`],
  ['listAutomations', `?folderId=${fixtures.folderId}`],
])('%s does not find %s of another tenant', async (operationId, query) => {
  const foreign = await sandbox.send(operationId, { query, ...foreignKey });
  const unknown = await sandbox.send(operationId, {
    query: query.replace(/_[0-9a-f]{20}/, '_0000000000000000cafe'),
    ...foreignKey,
  });
  expect(foreign.status).toBe(404);
  expect(appearance(foreign)).toEqual(appearance(unknown));
});
