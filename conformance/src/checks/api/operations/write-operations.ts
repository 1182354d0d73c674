import { posix } from 'node:path';

import { fileNamesIn, listExpectedFiles } from './expected-files.ts';
import { freshExport } from './export.ts';
import { operationFrom } from './operation.ts';
import type { ApiOperation, RightRequest, Row } from './operation.ts';
import { comparable, everyField, UPDATABLE } from './review-update.ts';
import type { Entry } from './review-update.ts';
import { readReview } from './reviews.ts';
import type { Sandbox } from './sandbox.ts';

/** The operations that change something, each with a body of every field. */
export const WRITES: readonly ApiOperation[] = [
  operationFrom({
    name: 'review-update',
    operationId: 'updateDatasetReviewRequest',
    needs: ['key.main', 'fixture.openReviewId'],
    ids: ['id', 'reviewId'],
    request: updateRequest,
    effect: async (place, { parameters }) => membersOf(await reviewOf(place, parameters)),
  }),
  operationFrom({
    name: 'move',
    operationId: 'moveAutomation',
    needs: ['control'],
    ids: ['id'],
    irreversible: true,
    request: (place) =>
      Promise.resolve({
        parameters: { id: place.fixture('workflowId') },
        json: { folderId: place.fixture('folderId'), folderPath: 'Conformance/Operations' },
      }),
  }),
  operationFrom({
    name: 'rename',
    operationId: 'renameExpectedFile',
    needs: ['control'],
    ids: ['id', 'exampleId', 'path'],
    irreversible: true,
    request(place) {
      const path = place.fixture('expectedFilePath');
      const json = { newFilename: `renamed-by-the-suite${posix.extname(path)}` };
      return Promise.resolve({ parameters: exampleFile(place, path), json });
    },
    effect: exportedPlaces,
  }),
  operationFrom({
    name: 'input-delete',
    operationId: 'deleteInputFile',
    needs: ['control'],
    ids: ['id', 'exampleId', 'path'],
    irreversible: true,
    request: (place) =>
      Promise.resolve({ parameters: exampleFile(place, place.fixture('inputFilePath')) }),
    effect: exportedPlaces,
  }),
  operationFrom({
    name: 'review-clear',
    operationId: 'clearRunReviews',
    needs: ['control'],
    ids: ['id'],
    irreversible: true,
    request: (place) => Promise.resolve({ parameters: { id: place.fixture('reviewedRunId') } }),
    effect: expectedFiles,
  }),
  operationFrom(feedback('feedback', 'copyOutputToExpected', ['control'])),
  operationFrom(feedback('feedback-app', 'copyOutputToExpectedApp', ['control', 'app'])),
  operationFrom({
    name: 'upload-complete',
    operationId: 'completeFileUpload',
    needs: ['control'],
    ids: ['uploadId'],
    irreversible: true,
    request: (place) => Promise.resolve({ parameters: { uploadId: place.fixture('uploadId') } }),
  }),
];

function feedback(name: string, operationId: string, needs: Row['needs']): Row {
  return {
    name,
    operationId,
    needs,
    ids: ['id'],
    irreversible: true,
    request(place) {
      const outputFileName = place.fixture('outputFileName');
      const expectedName = `${name}-of-the-suite${posix.extname(outputFileName)}`;
      return Promise.resolve({
        parameters: { id: place.fixture('runId') },
        json: { outputFileName, expectedName },
      });
    },
    effect: expectedFiles,
  };
}

function exampleFile(place: Sandbox, path: string): Readonly<Record<string, string>> {
  return {
    id: place.fixture('datasetAutomationId'),
    exampleId: place.fixture('exampleId'),
    path,
  };
}

async function updateRequest(place: Sandbox): Promise<RightRequest> {
  const reviewId = place.fixture('openReviewId');
  const entry = await reviewOf(place, { reviewId });
  const current = everyField(place, entry);
  const changing = {
    ...current,
    title: 'A title given by the conformance suite',
    focusFields: [{ path: 'suite.first', reason: 'Given by the suite' }],
    ignoredFields: ['suite.ignored'],
  };
  const parameters = { id: String(entry['automationId']), reviewId };
  return { parameters, json: place.disposable ? changing : current, changing };
}

async function reviewOf(
  place: Sandbox,
  { reviewId = '' }: RightRequest['parameters'],
): Promise<Entry> {
  return (await readReview(place, place.key, reviewId)).entry;
}

/** Other members may change by themselves. */
function membersOf(entry: Entry): readonly unknown[] {
  return UPDATABLE.map((name) => comparable(name, entry));
}

async function exportedPlaces(place: Sandbox, { parameters }: RightRequest): Promise<unknown> {
  const request = { automation: parameters['id'] ?? '', key: place.key };
  return [...(await freshExport(place.api, request)).files.keys()].toSorted();
}

async function expectedFiles(place: Sandbox, { parameters }: RightRequest): Promise<unknown> {
  const run = parameters['id'] ?? '';
  return fileNamesIn(await listExpectedFiles(place.api, run, place.key), run).toSorted();
}
