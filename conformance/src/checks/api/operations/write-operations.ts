import { randomUUID } from 'node:crypto';

import type { CheckContext } from '../../../check-kit/check.ts';
import type { FixtureName } from '../../../options/facts.ts';
import { byAlias } from './aliases.ts';
import { MOVE_NEEDS, moveBackLater } from './automations.ts';
import { clearedRun, clearNamed } from './clear-review.ts';
import {
  deleteNamed,
  DELETE_NEEDS,
  newNameFor,
  renameBackLater,
  RENAME_NEEDS,
} from './datasets.ts';
import { COPY_NEEDS, copyNameFor, feedbackAddress, filledRun } from './feedback.ts';
import { fixtureOrNull } from './files.ts';
import { nameOwner, ownerFolder } from './name-conflict.ts';
import { operationFrom } from './operation.ts';
import type { ApiOperation, ValidRequest, VisibleState } from './operation.ts';
import { everyField } from './review-fields.ts';
import type { Entry } from './review-fields.ts';
import { readReview } from './reviews.ts';
import { unknownIdLike } from './unknown-id.ts';
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
    needs: MOVE_NEEDS,
    ids: ['id'],
    async request(sandbox) {
      const owner = await nameOwner(sandbox);
      const id = owner?.id ?? sandbox.fixture('workflowId');
      const folderId = sandbox.fixture('folderId');
      await moveBackLater(sandbox, id);
      return {
        parameters: { id },
        ...(owner !== null && owner.slug !== '' ? { slug: owner.slug } : {}),
        // No operation deletes a folder that this path would create.
        json: sandbox.disposable
          ? { folderId, folderPath: 'Conformance/Operations' }
          : { folderId },
      };
    },
    toNothing: (sandbox) =>
      Promise.resolve({
        parameters: { id: unknownLike(sandbox, AUTOMATIONS, 'wf_') },
        json: { folderId: null },
      }),
    otherForms: byAlias,
    visible: (sandbox) => [ownerFolder(sandbox)],
  }),
  operationFrom({
    name: 'rename',
    operationId: 'renameExpectedFile',
    needs: RENAME_NEEDS,
    ids: ['id', 'exampleId', 'path'],
    async request(sandbox) {
      const path = sandbox.fixture('expectedFilePath');
      const json = { newFilename: newNameFor({ path }) };
      await renameBackLater(sandbox, { path }, json);
      return { parameters: exampleFile(sandbox, path), json };
    },
    toNothing: (sandbox, known) =>
      Promise.resolve({
        parameters: noFile(sandbox, known),
        json: { newFilename: newNameFor({ path: NO_FILE }) },
      }),
    otherForms: byAlias,
    visible: datasetAndReviews,
  }),
  operationFrom({
    name: 'input-delete',
    operationId: 'deleteInputFile',
    needs: DELETE_NEEDS,
    ids: ['id', 'exampleId', 'path'],
    request(sandbox) {
      const path = sandbox.fixture(sandbox.disposable ? 'inputFilePath' : 'deletableInputPath');
      return Promise.resolve({ parameters: exampleFile(sandbox, path) });
    },
    toNothing: (sandbox, known) => Promise.resolve({ parameters: noFile(sandbox, known) }),
    acceptedOnce: async (context) => (await deleteNamed(context)).response,
    otherForms: byAlias,
    visible: datasetAndReviews,
  }),
  operationFrom({
    name: 'review-clear',
    operationId: 'clearRunReviews',
    needs: ['key.main', 'world-or.clearableRunId'],
    ids: ['id'],
    request: (sandbox) => Promise.resolve({ parameters: { id: clearedRun(sandbox) } }),
    toNothing: (sandbox) => Promise.resolve({ parameters: noRun(sandbox) }),
    acceptedOnce: async (context) => (await clearNamed(context)).response,
    visible: (sandbox) => [expectedFilesOf(sandbox)],
  }),
  operationFrom({
    name: 'feedback',
    operationId: 'copyOutputToExpected',
    needs: COPY_NEEDS,
    ids: ['id'],
    async request(sandbox) {
      const outputFileName = sandbox.fixture('outputFileName');
      const expectedName = copyNameFor(outputFileName);
      const id = filledRun(sandbox);
      return {
        operationId: await feedbackAddress(sandbox),
        parameters: { id },
        json: { outputFileName, expectedName },
      };
    },
    async toNothing(sandbox) {
      const { id } = noRun(sandbox);
      return {
        operationId: await feedbackAddress(sandbox),
        parameters: { id },
        json: { outputFileName: 'no-such-output.bin' },
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

const AUTOMATIONS = ['workflowId', 'datasetAutomationId', 'reviewAutomationId'] as const;
const RUNS = ['runId', 'reviewedRunId', 'fillableRunId', 'clearableRunId'] as const;
const NO_FILE = 'no-such-folder/no-such-file.bin';

/** An id that exists nowhere, in the form of a known one if there is any. */
function unknownLike(sandbox: CheckContext, names: readonly FixtureName[], prefix: string): string {
  const known = names.map((name) => fixtureOrNull(sandbox, name)).find((id) => id !== null);
  return unknownIdLike(known ?? `${prefix}${randomUUID().replaceAll('-', '').slice(0, 24)}`);
}

function noRun(sandbox: CheckContext): { readonly id: string } {
  return { id: unknownLike(sandbox, RUNS, 'run_') };
}

/** The path of a file that exists nowhere, below what is known of its automation and example. */
function noFile(
  sandbox: CheckContext,
  known: readonly string[] = [],
): Readonly<Record<string, string>> {
  return {
    id: known.includes('id')
      ? sandbox.fixture('datasetAutomationId')
      : unknownLike(sandbox, AUTOMATIONS, 'wf_'),
    exampleId: known.includes('exampleId')
      ? sandbox.fixture('exampleId')
      : unknownLike(sandbox, ['exampleId'], 'ex_'),
    path: NO_FILE,
  };
}

function exampleFile(sandbox: CheckContext, path: string): Readonly<Record<string, string>> {
  return {
    id: sandbox.fixture('datasetAutomationId'),
    exampleId: sandbox.fixture('exampleId'),
    path,
  };
}

async function updateRequest(sandbox: CheckContext): Promise<ValidRequest> {
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
  sandbox: CheckContext,
  { reviewId = '' }: ValidRequest['parameters'],
): Promise<Entry> {
  return (await readReview(sandbox, reviewId)).entry;
}

function datasetAndReviews(
  sandbox: CheckContext,
  { parameters: { id = '' } }: ValidRequest,
): readonly VisibleState[] {
  return [datasetOf(sandbox, id), reviewsOf(sandbox, '')];
}
