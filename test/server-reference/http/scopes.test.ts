import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import { afterAll, describe, expect, test } from 'vitest';

import { loadServerDocument } from '../../../server-reference/src/api/server-document.ts';
import { SCOPES } from '../../../server-reference/src/api/auth/api-key.ts';
import { REQUIREMENTS } from '../../../server-reference/src/operations.ts';
import { call } from '../contract-client.ts';
import { openApp } from '../open-app.ts';
import { controlClient } from '../lab/control/control-client.ts';

const document = loadServerDocument();
const operations = [...listOperations(document), ...listCompanions(document)];

const app = await openApp();
afterAll(() => app.close());

/** The operations of automations, datasets and experiments. */
const EVALUATION_OPENS = {
  read: [
    'listAutomationVersions',
    'getAutomationTriggers',
    'getEvaluators',
    'listDatasetExamples',
    'getDatasetExample',
    'listInputFiles',
    'listExpectedFiles',
    'downloadInputFile',
    'downloadExpectedFile',
    'listExperiments',
    'exportExperiments',
    'getExperimentDetail',
    'exportExperiment',
  ],
  run: ['runDatasetExample', 'createExperiment', 'streamExperiment', 'cancelExperiment'],
  write: [
    'replaceEvaluators',
    'createDatasetExample',
    'updateDatasetExample',
    'deleteDatasetExample',
    'uploadInputFiles',
    'uploadExpectedFiles',
    'renameInputFile',
    'deleteExpectedFile',
  ],
};

/** The operations of each scope, written by hand. */
const OPENS: Record<string, readonly string[]> = {
  'dataset_review:read': ['listDatasetReviewRequests'],
  'dataset_review:write': ['updateDatasetReviewRequest'],
  'workflow:read': [
    'listAutomations',
    'getAutomation',
    'listTemplates',
    'listAgents',
    'getExperiment',
    'listRuns',
    'getRun',
    'getRunApp',
    'getRunUsage',
    'listRunSteps',
    'listRunEvents',
    'getRunTrace',
    'listRunScores',
    'listRunArtifacts',
    'downloadRunArtifact',
    'getRunReview',
    'listExpectedReviewFiles',
    'getExpectedReviewFile',
    'exportDataset',
    ...EVALUATION_OPENS.read,
  ],
  'workflow:write': [
    'moveAutomation',
    'renameExpectedFile',
    'deleteInputFile',
    ...EVALUATION_OPENS.write,
  ],
  'run:write': ['startRun', 'cancelRun', 'rerunRun', ...EVALUATION_OPENS.run],
  'run_review:write': [
    'putRunReview',
    'updateRunReview',
    'promoteRun',
    'clearRunReviews',
    'addExpectedReviewFile',
    'renameExpectedReviewFile',
    'deleteExpectedReviewFile',
    'copyOutputToExpected',
    'copyOutputToExpectedApp',
  ],
  'file:read': ['getFile', 'getFileContent'],
  'file:write': [
    'uploadFile',
    'createFileUpload',
    'completeFileUpload',
    'abortFileUpload',
    'deleteFile',
  ],
  'ocr:full': [],
};

/** Calls an operation with unknown ids and no body. */
async function statusOf(id: string, key: string): Promise<number> {
  const operation = operations.find(({ operationId }) => operationId === id);
  if (operation === undefined) return expect.unreachable(id);
  const path = operation.path.replaceAll(/\{\w+\}/g, 'unknown_1');
  const { status, body } = await call(app.listener, { method: operation.method, path, key });
  if (status === 403) {
    expect(body.issues).toMatchObject([{ field: '<root>', code: 'forbidden' }]);
    expect(body.hint).toContain('/v1/auth/check');
  }
  return status;
}

describe('scopes', () => {
  test('exist for every operation of the document', () => {
    expect(Object.keys(REQUIREMENTS).toSorted()).toEqual(
      operations.map(({ operationId }) => operationId).toSorted(),
    );
  });

  test.each(SCOPES)('%s permits its operations; all others get 403', async (scope) => {
    const { key } = await controlClient(app).expectOk<{ key: string }>(201, '/keys', {
      scope: [scope],
    });
    const opened: string[] = [];
    for (const { operationId } of operations) {
      if ((await statusOf(operationId, key)) !== 403) opened.push(operationId);
    }
    expect(opened.toSorted()).toEqual(['checkAuth', ...(OPENS[scope] ?? [])].toSorted());
  });

  test('permit nothing to a key that ocr:full restricts', async () => {
    const { key } = await controlClient(app).expectOk<{ key: string }>(201, '/keys', {
      scope: [...SCOPES],
    });
    for (const { operationId } of operations) {
      const status = await statusOf(operationId, key);
      expect(status, operationId).toBe(operationId === 'checkAuth' ? 200 : 403);
    }
  });

  test('do not restrict a wildcard key', async () => {
    for (const { operationId } of operations) {
      expect(await statusOf(operationId, app.world.keys.wildcard), operationId).not.toBe(403);
    }
  });

  test('are checked before validation and before the resource', async () => {
    const response = await call(app.listener, {
      method: 'PATCH',
      path: '/v1/automations/wf_unknown',
      key: app.world.keys.ocr,
      raw: '{',
    });
    expect(response.status).toBe(403);
  });
});
