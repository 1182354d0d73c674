import { posix } from 'node:path';

import { byAlias } from './aliases.ts';
import { feedbackAddress } from './feedback.ts';
import { nameOwner, ownerFolder } from './name-conflict.ts';
import { operationFrom } from './operation.ts';
import type { ApiOperation, ValidRequest, VisibleState } from './operation.ts';
import { everyField } from './review-fields.ts';
import type { Entry } from './review-fields.ts';
import { readReview } from './reviews.ts';
import type { Sandbox } from './sandbox.ts';
import { datasetOf, expectedFilesOf, reviewsOf } from './visible-state.ts';

/** The operations that change something, each with a body of every field. */
export const WRITES: readonly ApiOperation[] = [
  operationFrom({
    name: 'review-update',
    operationId: 'updateDatasetReviewRequest',
    needs: ['key.main', 'fixture.openReviewId'],
    ids: ['id', 'reviewId'],
    request: updateRequest,
    otherForms: byAlias,
    visible: (sandbox, { parameters: { id = '', reviewId = '' } }) => [
      reviewsOf(sandbox, reviewId),
      ...(sandbox.disposable ? [datasetOf(sandbox, id)] : []),
    ],
  }),
  operationFrom({
    name: 'move',
    operationId: 'moveAutomation',
    needs: ['control'],
    ids: ['id'],
    irreversible: true,
    async request(sandbox) {
      const owner = await nameOwner(sandbox);
      return {
        parameters: { id: owner?.id ?? sandbox.fixture('workflowId') },
        ...(owner !== null && owner.slug !== '' ? { slug: owner.slug } : {}),
        json: { folderId: sandbox.fixture('folderId'), folderPath: 'Conformance/Operations' },
      };
    },
    otherForms: byAlias,
    visible: (sandbox) => [ownerFolder(sandbox)],
  }),
  operationFrom({
    name: 'rename',
    operationId: 'renameExpectedFile',
    needs: ['control'],
    ids: ['id', 'exampleId', 'path'],
    irreversible: true,
    request(sandbox) {
      const path = sandbox.fixture('expectedFilePath');
      const json = { newFilename: `renamed-by-the-suite${posix.extname(path)}` };
      return Promise.resolve({ parameters: exampleFile(sandbox, path), json });
    },
    otherForms: byAlias,
    visible: datasetAndReviews,
  }),
  operationFrom({
    name: 'input-delete',
    operationId: 'deleteInputFile',
    needs: ['control'],
    ids: ['id', 'exampleId', 'path'],
    irreversible: true,
    request: (sandbox) =>
      Promise.resolve({ parameters: exampleFile(sandbox, sandbox.fixture('inputFilePath')) }),
    otherForms: byAlias,
    visible: datasetAndReviews,
  }),
  operationFrom({
    name: 'review-clear',
    operationId: 'clearRunReviews',
    needs: ['control'],
    ids: ['id'],
    irreversible: true,
    request: (sandbox) => Promise.resolve({ parameters: { id: sandbox.fixture('reviewedRunId') } }),
    visible: (sandbox) => [expectedFilesOf(sandbox)],
  }),
  operationFrom({
    name: 'feedback',
    operationId: 'copyOutputToExpected',
    needs: ['control'],
    ids: ['id'],
    irreversible: true,
    async request(sandbox) {
      const outputFileName = sandbox.fixture('outputFileName');
      const expectedName = `feedback-of-the-suite${posix.extname(outputFileName)}`;
      return {
        operationId: await feedbackAddress(sandbox),
        parameters: { id: sandbox.fixture('runId') },
        json: { outputFileName, expectedName },
      };
    },
    visible: (sandbox) => [expectedFilesOf(sandbox)],
  }),
  operationFrom({
    name: 'upload-complete',
    operationId: 'completeFileUpload',
    // A completion is safe to retry, so that it needs no world of its own.
    needs: ['key.main', 'fixture.uploadId'],
    ids: ['uploadId'],
    request: (sandbox) =>
      Promise.resolve({ parameters: { uploadId: sandbox.fixture('uploadId') } }),
  }),
];

function exampleFile(sandbox: Sandbox, path: string): Readonly<Record<string, string>> {
  return {
    id: sandbox.fixture('datasetAutomationId'),
    exampleId: sandbox.fixture('exampleId'),
    path,
  };
}

async function updateRequest(sandbox: Sandbox): Promise<ValidRequest> {
  const reviewId = sandbox.fixture('openReviewId');
  const entry = await reviewOf(sandbox, { reviewId });
  const current = everyField(sandbox, entry);
  const changing = {
    ...current,
    title: 'A title given by the conformance suite',
    focusFields: [{ path: 'suite.first', reason: 'Given by the suite' }],
    ignoredFields: ['suite.ignored'],
  };
  const parameters = { id: String(entry['automationId']), reviewId };
  return { parameters, json: sandbox.disposable ? changing : current, changing };
}

async function reviewOf(
  sandbox: Sandbox,
  { reviewId = '' }: ValidRequest['parameters'],
): Promise<Entry> {
  return (await readReview(sandbox, sandbox.key, reviewId)).entry;
}

function datasetAndReviews(
  sandbox: Sandbox,
  { parameters: { id = '' } }: ValidRequest,
): readonly VisibleState[] {
  return [datasetOf(sandbox, id), reviewsOf(sandbox, '')];
}
